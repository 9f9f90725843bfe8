package projection

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// digits is how many digits of an object id a page has of each memory file: as many as
// git itself would show of an id in a repository of millions of objects. They are written
// as eight characters of base64.
const (
	digits = 12
	short  = digits / 2 * 4 / 3
)

// files writes the block that names what a page was rendered from. Memory files whose
// names begin with the same character are in one line, which the others need not repeat,
// so a change of a memory changes one or two lines. Memories that are there only
// because they supersede others stand after them, each with what the page needs of it: a
// side of a merge on which they do not supersede anything does not name them.
func (w *writer) files(k Kind, rs records) {
	w.line(filesOpen)
	var names, links []string
	for _, r := range rs.list {
		if k.own(r) {
			names = append(names, encodeName(rs.blobs[r.ID]))
		} else {
			links = append(links, encodeLinks(r))
		}
	}
	slices.Sort(names)
	for i, name := range names {
		if i == 0 || names[i-1][0] != name[0] {
			if i > 0 {
				w.WriteByte('\n')
			}
			w.WriteByte(name[0])
		}
		w.WriteString(name[1:])
	}
	if len(names) > 0 {
		w.WriteByte('\n')
	}
	slices.Sort(links)
	for _, l := range links {
		w.line(l)
	}
	w.line(filesClose)
}

// Name returns the first digits of an object id, by which a page names the file.
func Name(blob string) string { return blob[:min(digits, len(blob))] }

// Named are the names of the files that a page names, in the order of the page. What
// cannot be read of it names none.
func Named(kind Kind, page []byte) []string {
	v, err := readVersion(kind, page)
	if err != nil || v == nil {
		return nil
	}
	return v.names
}

// encodeName writes the first digits of an object id.
func encodeName(blob string) string {
	raw, err := hex.DecodeString(blob[:digits])
	if err != nil {
		panic("projection: an object id that is not hexadecimal: " + blob) // git and hashes write them
	}
	return base64.RawStdEncoding.EncodeToString(raw)
}

// decodeNames reads a line of names.
func decodeNames(line string) ([]string, error) {
	if len(line) < short || (len(line)-1)%(short-1) != 0 {
		return nil, errors.New("a line of names is cut short")
	}
	var out []string
	for i := 1; i < len(line); i += short - 1 {
		raw, err := base64.RawStdEncoding.Strict().DecodeString(line[:1] + line[i:i+short-1])
		if err != nil {
			return nil, fmt.Errorf("reading the name of a memory file: %w", err)
		}
		out = append(out, hex.EncodeToString(raw))
	}
	return out, nil
}

// encodeLinks writes a record that is there for its links alone: id, type, time, and the
// ids of what it supersedes.
func encodeLinks(r *memory.Memory) string {
	words := []string{string(r.ID), string(r.Type), r.Created.UTC().Format(time.RFC3339)}
	for _, to := range r.Linked(memory.Supersedes) {
		words = append(words, string(to))
	}
	return strings.Join(words, " ")
}

func decodeLinks(line string) (*memory.Memory, error) {
	words := strings.Fields(line)
	if len(words) < 4 {
		return nil, errors.New("a line of links is cut short")
	}
	id, err := memory.ParseID(words[0])
	if err != nil {
		return nil, fmt.Errorf("reading links: %w", err)
	}
	r := &memory.Memory{ID: id, Type: memory.Type(words[1])}
	if r.Created, err = time.Parse(time.RFC3339, words[2]); err != nil {
		return nil, fmt.Errorf("reading the links of %s: %w", id.Short(), err)
	}
	for _, w := range words[3:] {
		to, err := memory.ParseID(w)
		if err != nil {
			return nil, fmt.Errorf("reading the links of %s: %w", id.Short(), err)
		}
		r.Links = append(r.Links, memory.Link{Rel: memory.Supersedes, To: to})
	}
	return r, nil
}

// checksum is of all bytes of a page before its last line.
func checksum(page []byte) string {
	sum := sha256.Sum256(page)
	return hex.EncodeToString(sum[:8])
}

// checksumOf reads the last line of a page: its checksum, and what that is of. It is
// false for a layout that is not known.
func checksumOf(page []byte) (sum string, body []byte, ok bool) {
	line, whole := bytes.CutSuffix(page, []byte("\n"))
	i := bytes.LastIndexByte(line, '\n') + 1
	words := strings.Fields(string(line[i:])) // <!-- cortex:end LAYOUT SUM -->
	if !whole || len(words) != 5 || string(line[i:]) != endLine(words[2], words[3]) {
		return "", nil, false
	}
	layout, _ := strconv.Atoi(words[2])
	return words[3], page[:i], layout >= oldestLayout && layout <= Layout
}

// endLine is the last line of a page.
func endLine(layout, sum string) string { return pageEnd + " " + layout + " " + sum + commentClose }

// record is one memory of a page, and its file where the page names it.
type record struct {
	*memory.Memory                // reduced
	whole          *memory.Memory // as its file has it; nil where it is there for its links
	blob           string         // the object of its file, with "" as for whole
}

// file is the file of a record, or what is shown of it; nothing for no record.
func (r *record) file() File {
	if r == nil {
		return File{}
	}
	return File{Memory: cmp.Or(r.whole, r.Memory), Blob: r.blob}
}

// same reports whether two records are of the same file, or have the same links where they have none.
func (r *record) same(other *record) bool {
	if r == nil || other == nil {
		return r == other
	}
	return compareRecords(r, other) == 0
}

func compareRecords(a, b *record) int {
	return cmp.Or(cmp.Compare(a.blob, b.blob), cmp.Compare(encodeLinks(a.Memory), encodeLinks(b.Memory)))
}

// Store is the repository in which pages are merged. Where a function is nil, pages that
// need it cannot be merged.
type Store struct {
	// Files reads memory files by the first digits of their object ids. A name that is
	// ambiguous, or of no memory file that is here, is absent from the answer.
	Files func(names []string) (map[string]File, error)
	// Blob is the object id of a file.
	Blob func(data []byte) string
	// Text is the function that merges the texts of memory files (git merge-file). If it
	// is nil, both texts are kept and the memory is contested.
	Text memory.TextMerge
}

// fill puts the memory files that versions of a page name into their records.
func (s *Store) fill(kind Kind, versions ...*version) error {
	var names []string
	for _, v := range versions {
		names = append(names, v.names...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if len(names) == 0 {
		return nil
	}
	if s == nil || s.Files == nil {
		return &FormatError{Kind: kind, Err: errors.New("the memory files that it names are not at hand")}
	}
	files, err := s.Files(names)
	if err != nil {
		return fmt.Errorf("reading the memories of %s: %w", kind.File(), err)
	}
	for _, v := range versions {
		v.fill(kind, files)
	}
	return nil
}

// fill is [Store.fill] for one version.
func (v *version) fill(kind Kind, files map[string]File) {
	for _, name := range v.names {
		f, ok := files[name]
		if !ok {
			v.blame(kind, 0, fmt.Errorf("the memory file %s, which it names, is not in this clone", name))
		} else if kind.concerns(f.Memory) {
			v.add(&record{Memory: kind.reduce(f.Memory), whole: f.Memory, blob: f.Blob})
		}
	}
	v.forgiveFound()
}

// forgiveFound takes the ids that have a record from those that are damaged.
func (v *version) forgiveFound() {
	for id := range v.records {
		delete(v.damaged, id)
	}
}
