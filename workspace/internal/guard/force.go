package guard

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
)

// Files of the cache: the hashes of the guards that are trusted, and what ran in which session, the
// newest last.
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

// Files reads the folder of guards below a root. Links are passed over, and what is too large.
func Files(root string) []File {
	dir := filepath.Join(root, filepath.FromSlash(Dir))
	if !isFolder(dir) || !isFolder(filepath.Dir(dir)) {
		return nil
	}
	names, _ := filepath.Glob(filepath.Join(dir, "*"+Ending))
	var out []File
	for _, name := range names[:min(len(names), MaxFiles)] {
		data, err := atomicfile.Read(name, MaxSize)
		if err == nil {
			data = bytes.ReplaceAll(data, []byte("\r\n"), []byte("\n"))
			out = append(out, File{strings.TrimSuffix(filepath.Base(name), Ending), data})
		}
	}
	return out
}

func isFolder(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && info.IsDir()
}

func (f *File) hash() string {
	sum := sha256.Sum256([]byte(f.Name + "\x00" + string(f.Data)))
	return hex.EncodeToString(sum[:])
}

// Keep notes in a cache which files are trusted.
func Keep(cache string, trusted []File) error {
	hashes := lists.Map(trusted, func(f File) string { return f.hash() })
	return keep(cache, trustedFile, hashes)
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
	data, _ := atomicfile.Read(filepath.Join(cache, name), 1<<16)
	return strings.Fields(string(data))
}

// InForce returns the guards of a working tree that a cache says are trusted. Without a folder of
// guards, that takes one look.
func InForce(root, cache string) []*Guard {
	files := Files(root)
	if len(files) == 0 {
		return nil
	}
	trusted := kept(cache, trustedFile)
	var out []*Guard
	for _, f := range files {
		if !slices.Contains(trusted, f.hash()) {
			continue
		}
		if g, err := Parse(f.Name, f.Data); err == nil {
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
			lines = slices.DeleteFunc(lines, func(l string) bool { return l == line })
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
