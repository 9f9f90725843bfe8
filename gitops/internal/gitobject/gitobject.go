// Package gitobject encodes and decodes git's objects as the git binary does: ids,
// trees, commits, and the files of loose objects. It reads and writes no
// repository, and alone imports go-git.
//
// Call the methods of a [Format]. All are safe for concurrent use. Data is
// not trusted: what is malformed is an error, and what is read is as large as the
// data at most.
package gitobject

import (
	"bytes"
	"crypto"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-git/go-git/v5/plumbing/format/objfile"
	githash "github.com/go-git/go-git/v5/plumbing/hash"
)

// ID is the full hexadecimal name of a git object: 40 characters in a sha1
// repository, 64 in a sha256 one.
type ID string

// IsID reports whether s is the full name of an object, in either format.
func IsID(s string) bool { return (len(s) == 40 || len(s) == 64) && IsPrefix(s) }

// IsPrefix reports whether s may be the beginning of the name of an object, of twelve
// digits or more.
func IsPrefix(s string) bool {
	return len(s) >= 12 && len(s) <= 64 && strings.Trim(s, "0123456789abcdef") == ""
}

// Bytes of names that mean the same everywhere; see [PlainName].
const (
	plainBytes  = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.%"
	longestName = 1024 // bytes; the name of a branch triples when it is encoded
)

// PlainName reports whether a component of a path holds nothing that a file system or a shell
// could read in its own way: only letters, digits, and _-.%, with neither a dot nor a hyphen at its
// beginning, and no dot at its end.
func PlainName(s string) bool {
	if s == "" || len(s) > longestName || strings.HasSuffix(s, ".") {
		return false
	}
	return !strings.ContainsAny(s[:1], ".-") && !strings.ContainsFunc(s, isOdd)
}

// isOdd is asked of each letter of each name: to make a set of plainBytes for a name would cost more.
func isOdd(r rune) bool { return r >= utf8.RuneSelf || strings.IndexByte(plainBytes, byte(r)) < 0 }

// IDs are the words of text that are ids.
func IDs[T string | []byte](text T) []ID {
	var ids []ID
	for word := range strings.FieldsSeq(string(text)) {
		if IsID(word) {
			ids = append(ids, ID(word))
		}
	}
	return ids
}

// Format is the format of a repository's objects. The zero value is sha1.
type Format struct{ SHA256 bool }

// ID is the id that data has as an object of this kind: blob, tree, commit.
func (f Format) ID(kind string, data []byte) ID {
	h := f.newHash()
	h.Write([]byte(kind))
	h.Write([]byte{' '})
	h.Write(strconv.AppendInt(nil, int64(len(data)), 10))
	h.Write([]byte{0})
	h.Write(data)
	return ID(hex.EncodeToString(h.Sum(nil)))
}

// None stands for no object where git wants an id.
func (f Format) None() string { return strings.Repeat("0", 2*f.size()) }

// size is that of an id in bytes.
func (f Format) size() int {
	if f.SHA256 {
		return crypto.SHA256.Size()
	}
	return crypto.SHA1.Size()
}

// newHash follows the repository. SHA-1 is the collision-detecting one, as in git.
func (f Format) newHash() hash.Hash {
	if f.SHA256 {
		return githash.New(crypto.SHA256)
	}
	return githash.New(crypto.SHA1)
}

// Inflate reads the file of a loose object of at most limit bytes and checks it
// against its id.
func (f Format) Inflate(file io.Reader, id ID, limit int64) (kind string, data []byte, err error) {
	r, err := objfile.NewReader(file)
	if err != nil {
		return "", nil, err
	}
	defer r.Close()
	t, size, err := r.Header()
	if err != nil {
		return "", nil, err
	}
	if size > limit {
		return "", nil, errors.New("the object is too large")
	}
	out := bytes.NewBuffer(make([]byte, 0, min(size, 1<<20)+bytes.MinRead))
	if _, err := out.ReadFrom(io.LimitReader(r, limit+1)); err != nil {
		return "", nil, err
	}
	data = out.Bytes()
	sum := ID(r.Hash().String())
	if f.SHA256 { // go-git is compiled for sha1
		sum = f.ID(t.String(), data)
	}
	if sum != id || size != int64(len(data)) {
		return "", nil, errors.New("the content is another object's")
	}
	return t.String(), data, nil
}
