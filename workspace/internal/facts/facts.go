// Package facts keeps what was found out once about one working tree and holds for
// good, so that git is not asked again: such as which branches a commit contains.
//
// [Read] and [Write] keep words of one kind, [Kept] and [Keep] a value for a key, such as
// the commit that it holds for. A note is a file of the cache: a list of words, and a
// checksum. Whoever reads it compares the ids in it with those that are asked for, so it
// needs no age; it can be deleted at any time, and one that is damaged is not there.
//
// What is asked through this package: the object ids of files ([FileIDs]), the name of the
// tree ([TreeName]), what commits changed since something was learned ([ChangesSince]), and
// which files have another name by now ([Renames]).
package facts

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/url"
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
	Tree     Kind = "tree-2"     // what the tree of a commit is called, and whether files are those of it
	Merged   Kind = "merged-1"   // which branches a commit contains
	Pages    Kind = "pages-1"    // which memories the pages of a commit were rendered from
	Trust    Kind = "trust-3"    // which memories a commit has that nobody here reviewed
	Layout   Kind = "layout-2"   // the same of templates
	Guards   Kind = "guards-1"   // the same of guards
	Since    Kind = "since-2"    // what commits did since something was learned
	Groups   Kind = "groups-1"   // when somebody was last shown which memories say the same
	Compared Kind = "compared-1" // which memories a reader has compared with others
	Blobs    Kind = "blobs-3"    // the object ids of files, by their stamps
	Moves    Kind = "moves-2"    // which files that are gone have another name
	Judged   Kind = "judged-1"   // which commits do not hold the work of which branches
	Pruned   Kind = "pruned-1"   // which memories of a commit are not pending any more
	Sure     Kind = "sure-1"     // whether a pending memory is sure enough to land by itself
	NoRoom   Kind = "noroom-1"   // how many memories were said not to fit into a branch
	Authors  Kind = "authors-1"  // who wrote the newest commits of a commit
	Heads    Kind = "heads-2"    // when sessions began and ended, and what their records say of their plans
	NoPlan   Kind = "noplan-1"   // a state of the files that landed of which none is a plan
	// What a build of this program found, see [Build].
	Conflicts Kind = "conflicts-3" // which memories contradict each other
	Sifted    Kind = "sifted-1"    // which memories speak of something that manifests name
	Clean     Kind = "clean-1"     // which files say nothing that a check names
	Matching  Kind = "matching-1"  // a state of the folder in a commit whose pages match its memories
)

// Keep keeps a value as JSON, for as long as it is asked for by the same key.
func Keep[T any](repo *gitops.Repo, kind Kind, key string, value T) {
	data, err := json.Marshal(value)
	if err == nil {
		Write(repo, kind, []string{url.QueryEscape(key), base64.RawURLEncoding.EncodeToString(data)})
	}
}

// Kept returns the value that was kept for a key; ok is false without one.
func Kept[T any](repo *gitops.Repo, kind Kind, key string) (value T, ok bool) {
	words := Read(repo, kind)
	if len(words) != 2 || words[0] != url.QueryEscape(key) {
		return value, false
	}
	data, err := base64.RawURLEncoding.DecodeString(words[1])
	return value, err == nil && json.Unmarshal(data, &value) == nil
}

// Build names the program file at a path as it is now: another build has another name. Where the
// file cannot be looked at, each call returns another one.
func Build(program string) string {
	path, _ := filepath.EvalSymlinks(program) // "" where it is not there
	s, ok := stamp.Lstat(path)
	if !ok {
		return rand.Text()
	}
	return fmt.Sprint(path, s)
}

// limit is how large a note may be.
const limit = 8 << 20

func name(repo *gitops.Repo, kind Kind) string {
	sum := sha256.Sum256([]byte(repo.Root))
	return filepath.Join(repo.CacheDir(), string(kind)+"-"+hex.EncodeToString(sum[:6]))
}

// sumOf is the checksum that a note ends in.
func sumOf(kind Kind, words []string) string {
	sum := sha256.Sum256([]byte(string(kind) + " " + strings.Join(words, " ")))
	return hex.EncodeToString(sum[:8])
}

// writtenAt is when a note was written, by the clock of the file system, in ns; 0 for none.
func writtenAt(repo *gitops.Repo, kind Kind) int64 {
	s, _ := stamp.Lstat(name(repo, kind))
	return s.Modified
}

// Read returns the words of a note of a working tree; nil if it is not there, or damaged.
func Read(repo *gitops.Repo, kind Kind) []string {
	data, err := atomicfile.Read(name(repo, kind), limit)
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
