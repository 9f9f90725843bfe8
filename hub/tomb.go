package hub

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// Tomb says that something was purged: what it names is never taken in again, though git still has it.
type Tomb struct {
	Kind  TombKind  `json:"kind"`
	Value string    `json:"value"` // what is named, or a sum of it; never a text
	Purge string    `json:"purge"` // the certificate that speaks of it
	At    time.Time `json:"at"`
}

// TombKind says whether a tomb names a file, a memory, words, a session or an author.
type TombKind string

// The kinds of tombs.
const (
	TombBlob    TombKind = "blob"    // a file, by its blob
	TombMemory  TombKind = "memory"  // a memory in any version, by its id
	TombWords   TombKind = "words"   // what says the same in the same words: a sum
	TombSession TombKind = "session" // what an agent's session taught, by its id
	TombAuthor  TombKind = "author"  // what somebody committed: a sum of their name or address
)

// Tombs are all tombs of a store, to be asked what they cover.
type Tombs map[TombKind]map[string]bool

// NewTombs sorts tombs.
func NewTombs(list []Tomb) Tombs {
	t := Tombs{}
	for _, one := range list {
		if t[one.Kind] == nil {
			t[one.Kind] = map[string]bool{}
		}
		t[one.Kind][one.Value] = true
	}
	return t
}

// sumOf is the value of a tomb that names no text.
func sumOf(text string) string {
	sum := sha256.Sum256([]byte(strings.ToLower(strings.Join(strings.Fields(text), " "))))
	return hex.EncodeToString(sum[:])
}

// wordsOf is the value of the words of a memory.
func wordsOf(m *memory.Memory) string { return sumOf(m.Title + "\n" + m.Text) }

// file reports whether a file of a repository is purged, by what is known without its text.
func (t Tombs) file(f File) bool {
	return t[TombBlob][f.Blob] || f.ID != "" && t[TombMemory][string(f.ID)]
}

// any reports whether some of the files are purged.
func (t Tombs) any(files map[string]File) bool {
	for _, f := range files {
		if t.file(f) {
			return true
		}
	}
	return false
}

// memory reports whether a memory is purged; nil is none.
func (t Tombs) memory(m *memory.Memory) bool {
	if m == nil {
		return false
	}
	return t[TombMemory][string(m.ID)] || t[TombSession][m.Source.Session] ||
		len(t[TombWords]) > 0 && t[TombWords][wordsOf(m)]
}

// author reports whether any of those who committed a file was purged, by their names and addresses.
func (t Tombs) author(who []string) bool {
	return slices.ContainsFunc(who, func(one string) bool { return t[TombAuthor][sumOf(one)] })
}
