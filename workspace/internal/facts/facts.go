// Package facts keeps what was found out once about one working tree and holds for
// good, such as which branches a commit contains.
//
// Call [Write], and [Read] in a later process. A note is a file of the cache: a list
// of words, and a checksum. Whoever reads it compares the ids in it with those that
// are asked for, so it needs no age; it can be deleted at any time, and one that is
// damaged is not there.
package facts

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/stamp"
)

// Kind is the kind of a note. It ends in the version of what its words mean.
type Kind string

// The kinds there are. Trust 3 and Layout 2: what a verdict says of names that NTFS and
// HFS+ take for the folder's, and of proposals that a setting keeps by their whole name.
const (
	Tree    Kind = "tree-1"    // what the tree of a commit is called, and whether files are those of it
	Merged  Kind = "merged-1"  // which branches a commit contains
	Pages   Kind = "pages-1"   // which memories the pages of a commit were rendered from
	Trust   Kind = "trust-3"   // which memories a commit has that nobody here reviewed
	Layout  Kind = "layout-2"  // the same of templates
	Since   Kind = "since-1"   // what commits did since something was learned
	Groups  Kind = "groups-1"  // when somebody was last shown which memories say the same
	Began   Kind = "began-1"   // when the sessions of records began
	Blobs   Kind = "blobs-2"   // the object ids of files, by their stamps
	Moves   Kind = "moves-1"   // which files that are gone have another name
	Authors Kind = "authors-1" // who wrote the newest commits of a commit
)

// limit is how large a note may be.
const limit = 1 << 20

func name(repo *gitops.Repo, kind Kind) string {
	sum := sha256.Sum256([]byte(repo.Root))
	return filepath.Join(repo.CacheDir(), string(kind)+"-"+hex.EncodeToString(sum[:6]))
}

// sumOf is the checksum that a note ends in.
func sumOf(kind Kind, words []string) string {
	sum := sha256.Sum256([]byte(string(kind) + " " + strings.Join(words, " ")))
	return hex.EncodeToString(sum[:8])
}

// Dated is [Read], and says when the note was written, by the clock of the file system, in
// ns.
func Dated(repo *gitops.Repo, kind Kind) (words []string, at int64) {
	if s, ok := stamp.Lstat(name(repo, kind)); ok {
		at = s.Modified
	}
	return Read(repo, kind), at
}

// Read returns the words of a note of a working tree; nil if it is not there, or damaged.
func Read(repo *gitops.Repo, kind Kind) []string {
	file := name(repo, kind)
	if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() || info.Size() > limit {
		return nil
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil
	}
	words := strings.Split(string(data), " ")
	n := len(words) - 1
	if words[n] != sumOf(kind, words[:n]) {
		return nil
	}
	return words[:n]
}

// Write keeps words without spaces. Where that is not possible, they are found
// out again.
func Write(repo *gitops.Repo, kind Kind, words []string) {
	data := strings.Join(append(words, sumOf(kind, words)), " ")
	if len(data) <= limit {
		_ = atomicfile.WritePath(name(repo, kind), []byte(data), atomicfile.Options{NoSync: true})
	}
}
