package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/atomicfile"
)

// A note is what was found out once about one working tree and holds for good, such
// as which branches a commit contains. It is a file of the cache: a list of words,
// and a checksum. Whoever reads it compares the ids in it with those that are asked
// for, so it needs no age. The kinds of notes end in their version.
const (
	treeNotes   = "tree-1"
	mergedNotes = "merged-1"
)

// maxNote is how large a note may be.
const maxNote = 1 << 20

func noteName(repo *gitops.Repo, kind string) string {
	sum := sha256.Sum256([]byte(repo.Root))
	return filepath.Join(repo.CacheDir(), kind+"-"+hex.EncodeToString(sum[:6]))
}

// sumOf is the checksum that a note ends in.
func sumOf(kind string, words []string) string {
	sum := sha256.Sum256([]byte(kind + " " + strings.Join(words, " ")))
	return hex.EncodeToString(sum[:8])
}

// readNote returns the words of a note; nil if it is not there, or damaged.
func readNote(repo *gitops.Repo, kind string) []string {
	name := noteName(repo, kind)
	if info, err := os.Lstat(name); err != nil || !info.Mode().IsRegular() || info.Size() > maxNote {
		return nil
	}
	data, err := os.ReadFile(name)
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

// writeNote keeps words without spaces. Where that is not possible, they are found
// out again.
func writeNote(repo *gitops.Repo, kind string, words []string) {
	data := strings.Join(append(words, sumOf(kind, words)), " ")
	if len(data) <= maxNote {
		_ = atomicfile.WritePath(noteName(repo, kind), []byte(data), atomicfile.Options{NoSync: true})
	}
}
