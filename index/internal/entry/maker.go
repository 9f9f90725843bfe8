package entry

import (
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"strconv"
	"strings"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/index/internal/mapped"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// Body is the part of an entry that its head points to: of a memory its meta part ([ReadMeta]), its text and
// its unknown keys, of a problem a meta part ([ReadProblem]).
type Body struct{ Meta, Text, Unknown string }

func (b *Body) ref() Ref {
	return Ref{
		Meta: len(b.Meta), Text: len(b.Text), Unknown: len(b.Unknown),
		MetaSum: cachefile.SumString(b.Meta), TextSum: cachefile.SumStrings(b.Text, b.Unknown),
	}
}

// Made is an entry that is not on disk yet.
type Made struct {
	Head  Head // "" for none
	Body  Body
	Links []memory.Link
}

// Maker makes entries of many files one after the other. What it makes lies together in
// memory that it asks for in large pieces, and what it only needs in between is used
// again: a scan of files that are not known yet would otherwise wait for fresh pages.
// The zero value is ready. It is for one goroutine.
type Maker struct {
	parser memory.Parser
	words  []uint32
	buffer []byte
	room   []byte // of the piece at hand, not used yet
	piece  int    // how large it was
	hashes [2]hash.Hash
}

// BlobID is the git blob id of data, hexadecimal.
func (k *Maker) BlobID(data []byte, useSHA256 bool) string {
	var h hash.Hash
	if useSHA256 {
		h = k.hash(1, sha256.New)
	} else {
		h = k.hash(0, sha1.New) //nolint:gosec // git's own choice of name, not a secret
	}
	k.buffer = append(strconv.AppendInt(append(k.buffer[:0], "blob "...), int64(len(data)), 10), 0)
	h.Write(k.buffer)
	h.Write(data)
	k.buffer = h.Sum(k.buffer[:0])
	n := len(k.buffer)
	k.buffer = hex.AppendEncode(k.buffer, k.buffer)
	return k.keep(mapped.String(k.buffer[n:]))
}

func (k *Maker) hash(at int, make func() hash.Hash) hash.Hash {
	if k.hashes[at] == nil {
		k.hashes[at] = make()
	}
	k.hashes[at].Reset()
	return k.hashes[at]
}

// Make makes the entry of a file of which the blob id, as bytes, is blob. It shares no
// memory with data. What is not a memory is a [*memory.ParseError], and
// [MakeProblem] is for that.
func (k *Maker) Make(blob, path string, data []byte) (Made, error) {
	m, err := k.parser.Parse(path, mapped.String(data))
	if err != nil {
		return Made{}, err
	}
	k.words = sameness.AppendWords(k.words[:0], m.Title, m.Text)
	sketch := SketchOf(k.words)
	k.buffer = appendMeta(k.buffer[:0], m)
	body := Body{Meta: k.keep(mapped.String(k.buffer)), Text: k.keep(m.Text), Unknown: k.keep(m.Unknown)}
	k.buffer = newMemory(k.buffer, blob, m, &sketch, body.ref())
	for i, l := range m.Links {
		rel, to := strings.Clone(string(l.Rel)), strings.Clone(string(l.To))
		m.Links[i] = memory.Link{Rel: memory.Rel(rel), To: memory.ID(to)}
	}
	return Made{Head: Head(k.keep(mapped.String(k.buffer))), Body: body, Links: m.Links}, nil
}

// MakeProblem makes the entry of a file that is not a memory.
func MakeProblem(blob string, line int, path, text string) Made {
	b := Body{Meta: string(encodeProblem(line, path, text))}
	return Made{Head: Head(newProblem(blob, b.ref())), Body: b}
}

// Bounds of a piece of memory. From the larger on it may be of huge pages.
const (
	leastPiece = 1 << 10
	mostPiece  = 4 << 20
)

// keep is a copy of s.
func (k *Maker) keep(s string) string {
	if len(s) > len(k.room) {
		k.piece = min(max(2*k.piece, leastPiece), mostPiece)
		if len(s) > k.piece/4 {
			return strings.Clone(s)
		}
		k.room = make([]byte, k.piece)
	}
	n := copy(k.room, s)
	out := mapped.String(k.room[:n:n])
	k.room = k.room[n:]
	return out
}
