package facts

import (
	"maps"
	"path/filepath"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/stamp"
)

// margin is for how long before it was read a file must have been left alone, in ns: it
// may change twice within one tick of a file system's clock, of 2 s at the most.
const margin = 2e9

// most is from how many files on those that were not asked for are forgotten, and large how many
// bytes one has at least:
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
	if id, ok := k.known(path, now); ok {
		return id, true
	}
	if id, ok = hash(); ok {
		k.files[path], k.fresh = fileID{now, id, true}, true
	}
	return id, ok
}

// known is the id that is kept for a file which is as it was.
func (k *FileIDs) known(path string, now stamp.Stamp) (id string, ok bool) {
	f, known := k.files[path]
	if !known || f.Stamp != now || now.Racy(k.at) {
		return "", false
	}
	f.used = true
	k.files[path] = f
	return f.ID, true
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
	maps.DeleteFunc(k.files, func(_ string, f fileID) bool {
		return !f.used && (len(k.files) > most || f.Stamp.Racy(k.at))
	})
	Keep(k.repo, Blobs, "", keptFiles{Took: int64(k.now().Sub(k.began)), Files: k.files})
	k.fresh = false
}
