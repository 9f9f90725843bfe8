package guard

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
)

// Files of the cache: the guards that are trusted, and what ran in which session, the newest last.
const (
	trustedFile = "guards"
	ranFile     = "guards-ran"
	mostRan     = 64
)

// File is a file of the folder of guards.
type File struct {
	Name string // without its ending
	Data []byte
}

// Files reads the folder of guards below a root. Links are passed over, what is too large, and what
// has no line of text for a name.
func Files(root string) []File {
	if !hasFolder(root) {
		return nil
	}
	names, _ := filepath.Glob(filepath.Join(root, filepath.FromSlash(Path("*"))))
	var out []File
	for _, name := range names[:min(len(names), MaxFiles)] {
		if f, err := fileOf(root, strings.TrimSuffix(filepath.Base(name), Ending)); err == nil && isLine(f.Name) {
			out = append(out, f)
		}
	}
	return out
}

func fileOf(root, name string) (File, error) {
	data, err := atomicfile.Read(filepath.Join(root, filepath.FromSlash(Path(name))), MaxSize)
	return File{name, bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))}, err
}

// hasFolder reports whether the folder of guards is there, and no link leads to it.
func hasFolder(root string) bool {
	dir := filepath.Join(root, filepath.FromSlash(Dir))
	return atomicfile.IsFolder(dir) && atomicfile.IsFolder(filepath.Dir(dir))
}

func (f *File) hash() string {
	sum := sha256.Sum256([]byte(f.Name + "\x00" + string(f.Data)))
	return hex.EncodeToString(sum[:])
}

// Keep notes in a cache which guards are trusted: of each the name, the hash, and the words without
// which no call concerns it.
func Keep(cache string, trusted []Kept) error {
	return keep(cache, trustedFile, lists.Map(trusted, func(k Kept) string {
		return strings.Join(append([]string{k.hash(), k.Name}, k.Guard.words()...), "\t")
	}))
}

// keep writes a list to a file of the cache, unless it is there.
func keep(cache, name string, lines []string) error {
	if slices.Equal(lines, kept(cache, name)) {
		return nil
	}
	text := strings.Join(lines, "\n") + "\n"
	return atomicfile.WritePath(filepath.Join(cache, name), []byte(text), atomicfile.Options{NoSync: true})
}

func kept(cache, name string) []string {
	data, _ := atomicfile.Read(filepath.Join(cache, name), MaxFiles*maxWords*maxLine)
	return strings.FieldsFunc(string(data), func(r rune) bool { return r == '\n' })
}

// InForce returns the guards of a working tree that a cache says are trusted, and that a call may
// concern: of the others no file is read.
func InForce(root, cache string, c *Call) []*Guard {
	if !hasFolder(root) {
		return nil
	}
	said := c.said()
	var out []*Guard
	for _, line := range kept(cache, trustedFile) {
		hash, line, _ := strings.Cut(line, "\t")
		name, words, _ := strings.Cut(line, "\t")
		says := func(word string) bool { return strings.Contains(said, word) }
		if !slices.ContainsFunc(strings.Split(words, "\t"), says) {
			continue
		}
		f, _ := fileOf(root, name)
		if g, err := Parse(f.Name, f.Data); err == nil && f.hash() == hash {
			out = append(out, g)
		}
	}
	return out
}

// Memory holds the commands that a session ran, as far as guards ask for them.
type Memory struct {
	cache, session string
}

// Session returns what a session ran.
func Session(cache, session string) *Memory {
	sum := sha256.Sum256([]byte(session))
	return &Memory{cache, hex.EncodeToString(sum[:6])}
}

func (m *Memory) line(command string) string {
	sum := sha256.Sum256([]byte(command))
	return m.session + ":" + hex.EncodeToString(sum[:6])
}

// Ran reports whether a command ran since the last edit.
func (m *Memory) Ran(command string) bool {
	return slices.Contains(kept(m.cache, ranFile), m.line(command))
}

// Note notes a call that is about to be made, or that failed: what guards need has run, and after
// an edit it has to run again.
func (m *Memory) Note(guards []*Guard, c *Call, well bool) error {
	needed := needs(guards)
	if len(needed) == 0 {
		return nil
	}
	edits := len(c.Files) > 0
	lines := kept(m.cache, ranFile)
	for _, command := range needed {
		line := m.line(command)
		runs := Runs(c.Command, command)
		if runs || edits {
			lines = lists.Without(lines, func(l string) bool { return l == line })
		}
		if runs && well {
			lines = append(lines, line)
		}
	}
	return keep(m.cache, ranFile, lines[max(0, len(lines)-mostRan):])
}

// needs are the commands that guards need.
func needs(guards []*Guard) []string {
	var all []string
	for _, g := range guards {
		all = append(all, g.Needs...)
	}
	return all
}
