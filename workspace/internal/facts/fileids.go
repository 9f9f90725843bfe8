package facts

import (
	"path/filepath"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/stamp"
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

// FileIDs holds the object ids of the files of one working tree, so that a file which is as
// it was need not be read. Call [FilesOf], [FileIDs.ID] for each file, and [FileIDs.Keep]
// when the command has them all. It promises that an id is that of the file's bytes now, or
// was found out for a file with the same stamp that was not racy then. A nil one knows
// none. It is for one goroutine.
type FileIDs struct {
	repo  *gitops.Repo
	now   func() time.Time
	files map[string]fileID // by path; nil until asked for
	at    int64             // margin before the first of them was read, by the clock of the file system, in ns
	began time.Time         // when they were asked for
	fresh bool              // some are not kept yet
}

type fileID struct {
	Stamp stamp.Stamp
	ID    string
	used  bool // by this process
}

// keptFiles is the note of them.
type keptFiles struct {
	Took  int64 // how long before the note was written the first was read, in ns
	Files map[string]fileID
}

// FilesOf returns the ids that are kept for the working tree of a repository. Nothing is read
// before the first file is asked for. Now is the clock of this process.
func FilesOf(repo *gitops.Repo, now func() time.Time) *FileIDs { return &FileIDs{repo: repo, now: now} }

// ID is the object id of the file at path, relative to the root, with what hash says of one
// whose id is not known; ok is hash's.
func (k *FileIDs) ID(path string, hash func() (id string, ok bool)) (id string, ok bool) {
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
		return f.ID, true
	}
	if id, ok = hash(); ok {
		k.files[path], k.fresh = fileID{now, id, true}, true
	}
	return id, ok
}

func (k *FileIDs) read() {
	if k.files != nil {
		return
	}
	k.began = k.now()
	at := writtenAt(k.repo, Blobs) // before it is read: it may be written anew between the two
	kept, _ := Kept[keptFiles](k.repo, Blobs, "")
	if k.files = kept.Files; k.files == nil {
		k.files = map[string]fileID{}
	}
	k.at = at - max(kept.Took, 0) - margin
}

// Keep writes down what was found out, for later processes. Files that nobody asked for are
// forgotten where there are too many.
func (k *FileIDs) Keep() {
	if k == nil || !k.fresh {
		return
	}
	kept := keptFiles{Took: int64(k.now().Sub(k.began)), Files: map[string]fileID{}}
	for _, used := range []bool{true, false} {
		for path, f := range k.files {
			if f.used == used && len(kept.Files) < most && (used || !f.Stamp.Racy(k.at)) {
				kept.Files[path] = f
			}
		}
	}
	Keep(k.repo, Blobs, "", kept)
	k.fresh = false
}
