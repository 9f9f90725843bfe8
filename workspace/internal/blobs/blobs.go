// Package blobs keeps the object ids of files of a working tree, so that a file which is as
// it was need not be read to know that. Call [Of] for those of a working tree, [Known.ID]
// for each file, and [Known.Keep] when the command has them all. It promises that an id is
// that of the file's bytes now, or was found out for a file with the same stamp that was
// not racy then.
package blobs

import (
	"encoding/hex"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/stamp"
	"github.com/git-cortex/cortex/workspace/internal/facts"
)

// margin is for how long before it was read a file must have been left alone, in ns: it
// may change twice within one tick of a file system's clock, of 2 s at the most.
const margin = 2e9

// most is how many files are known at a time, and large how many bytes one has at least:
// a smaller one is read about as fast as its stamp is looked up.
const (
	most  = 4000
	large = 8 << 10
)

// Known holds the ids of the files of one working tree. A nil one knows none. It is for one
// goroutine.
type Known struct {
	repo  *gitops.Repo
	now   func() time.Time
	files map[string]file // by path; nil until asked for
	at    int64           // margin before the first of them was read, by the clock of the file system, in ns
	began time.Time       // when they were asked for
	fresh bool            // some are not kept yet
}

type file struct {
	stamp.Stamp
	id   string
	used bool // by this process
}

// Of returns the ids that are kept for the working tree of a repository. Nothing is read
// before the first file is asked for. Now is the clock of this process.
func Of(repo *gitops.Repo, now func() time.Time) *Known { return &Known{repo: repo, now: now} }

// ID is the object id of the file at path, relative to the root, with what hash says of one
// whose id is not known; ok is hash's.
func (k *Known) ID(path string, hash func() (id string, ok bool)) (id string, ok bool) {
	if k == nil {
		return hash()
	}
	now, there := stamp.Lstat(filepath.Join(k.repo.Root, filepath.FromSlash(path)))
	if !there || now.Size < large {
		return hash()
	}
	k.read()
	if f, known := k.files[path]; known && f.Stamp == now && !now.Racy(k.at) {
		f.used = true
		k.files[path] = f
		return f.id, true
	}
	if id, ok = hash(); ok {
		k.files[path], k.fresh = file{now, id, true}, true
	}
	return id, ok
}

// wordsEach is how many words a note has for a file: its path, its stamp and its id. Before
// them stands how long before the note was written the first was read, in ns.
const wordsEach = 3

func (k *Known) read() {
	if k.files != nil {
		return
	}
	k.files, k.began = map[string]file{}, k.now()
	words, at := facts.Dated(k.repo, facts.Blobs)
	if len(words) == 0 {
		return
	}
	took, err := strconv.ParseInt(words[0], 10, 64)
	if err != nil || took < 0 {
		return
	}
	k.at = at - took - margin
	for w := range slices.Chunk(words[1:], wordsEach) {
		path, err := url.PathUnescape(w[0])
		if err != nil || len(w) != wordsEach {
			return
		}
		raw, err := hex.DecodeString(w[1])
		if err != nil {
			return
		}
		k.files[path] = file{Stamp: stamp.Read(string(raw)), id: w[2]}
	}
}

// Keep writes down what was found out, for later processes. Files that nobody asked for are
// forgotten where there are too many.
func (k *Known) Keep() {
	if k == nil || !k.fresh {
		return
	}
	words := []string{strconv.FormatInt(int64(k.now().Sub(k.began)), 10)}
	for _, used := range []bool{true, false} {
		for path, f := range k.files {
			if f.used != used || len(words) >= wordsEach*most || !used && f.Racy(k.at) {
				continue
			}
			words = append(words, url.PathEscape(path), hex.EncodeToString(stamp.Append(nil, &f.Stamp)), f.id)
		}
	}
	facts.Write(k.repo, facts.Blobs, words)
	k.fresh = false
}
