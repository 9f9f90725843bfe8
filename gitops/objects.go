package gitops

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/go-git/go-git/v5/plumbing/format/objfile"
	githash "github.com/go-git/go-git/v5/plumbing/hash"
)

// ObjectID is the full hexadecimal name of a git object: 40 characters in a
// sha1 repository, 64 in a sha256 one.
type ObjectID string

func isHexID(s string) bool {
	if len(s) != 40 && len(s) != 64 {
		return false
	}
	for i := range len(s) {
		if c := s[i]; (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// Hash is the id that data has as a blob of this repository.
func (r *Repo) Hash(data []byte) ObjectID { return r.objects.id("blob", data) }

func (o *objects) id(kind string, data []byte) ObjectID {
	h := o.newHash()
	h.Write([]byte(kind))
	h.Write([]byte{' '})
	h.Write(strconv.AppendInt(nil, int64(len(data)), 10))
	h.Write([]byte{0})
	h.Write(data)
	return ObjectID(hex.EncodeToString(h.Sum(nil)))
}

// none stands for no object where git wants an id.
func (o *objects) none() string { return strings.Repeat("0", 2*o.newHash().Size()) }

// newHash follows the repository. SHA-1 is the collision-detecting one, as in git.
func (o *objects) newHash() hash.Hash {
	if o.sha256 {
		return githash.New(crypto.SHA256)
	}
	return githash.New(crypto.SHA1)
}

// object is a git object in memory.
type object struct {
	kind string // blob, tree, commit
	data []byte
}

// objects is the object store of one repository. What it writes is on disk
// before it says so. It is never changed once made, and is for any number of
// goroutines; one that reads a good deal makes a [store].
type objects struct {
	git    *runner
	dir    string // where loose objects are
	sha256 bool   // else sha1
}

// maxObject bounds what is read into memory of one object, in bytes.
const maxObject = 64 << 20

var (
	errMissing = errors.New("object is missing")
	errDamaged = errors.New("object is damaged")
)

func (o *objects) loosePath(id ObjectID) string {
	return filepath.Join(o.dir, string(id[:2]), string(id[2:]))
}

// readLoose reads a loose object and checks it against its id: after a power
// cut, files can be empty or full of zeros. Missing is errMissing.
func (o *objects) readLoose(id ObjectID) (object, error) {
	f, err := os.Open(o.loosePath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return object{}, errMissing
	}
	if err != nil {
		return object{}, err
	}
	defer f.Close()
	got, err := o.inflate(f, id)
	if err != nil {
		return object{}, fmt.Errorf("reading object %s: %w: %w", id, errDamaged, err)
	}
	return got, nil
}

func (o *objects) inflate(file io.Reader, id ObjectID) (object, error) {
	r, err := objfile.NewReader(file)
	if err != nil {
		return object{}, err
	}
	defer r.Close()
	kind, size, err := r.Header()
	if err != nil {
		return object{}, err
	}
	data, err := io.ReadAll(io.LimitReader(r, maxObject+1))
	if err != nil {
		return object{}, err
	}
	sum := ObjectID(r.Hash().String())
	if o.sha256 { // go-git is compiled for sha1
		sum = o.id(kind.String(), data)
	}
	if sum != id || size != int64(len(data)) {
		return object{}, errors.New("the content is another object's")
	}
	return object{kind.String(), data}, nil
}

// writeLoose writes objects and syncs them and their folders, several at once:
// the file system then commits them together.
func (o *objects) writeLoose(ctx context.Context, all map[ObjectID]object) error {
	folders := make(map[string]bool)
	for id := range all {
		folders[filepath.Dir(o.loosePath(id))] = true
	}
	ids := slices.Sorted(maps.Keys(all))
	packed, err := deflate(all)
	if err != nil {
		return fmt.Errorf("writing objects: %w", err)
	}
	var made atomic.Bool
	err = inParallel(ids, func(id ObjectID) error {
		// A concurrent gc removes empty folders and, with --prune=now, our temp file.
		for try := 0; ; try++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			err := o.writeLooseFile(id, packed[id], &made)
			if try == maxTries || !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	})
	if err != nil {
		return fmt.Errorf("writing objects: %w", err)
	}
	dirs := slices.Sorted(maps.Keys(folders))
	if made.Load() {
		dirs = append(dirs, o.dir)
	}
	err = inParallel(dirs, func(dir string) error {
		if err := syncDir(dir); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("syncing objects: %w", err)
	}
	return nil
}

// deflate encodes objects for their files. One compressor serves all: making
// one costs more than it then has to do. go-git's objfile.Writer does the same
// at a higher level of compression: five objects of a capture take it 0.8 ms in
// a new process, and this 0.3 ms.
func deflate(all map[ObjectID]object) (map[ObjectID][]byte, error) {
	packed := make(map[ObjectID][]byte, len(all))
	z, err := zlib.NewWriterLevel(io.Discard, zlib.BestSpeed)
	if err != nil {
		return nil, err
	}
	for id, o := range all {
		var buf bytes.Buffer
		z.Reset(&buf)
		fmt.Fprintf(z, "%s %d\x00", o.kind, len(o.data))
		_, _ = z.Write(o.data)
		if err := z.Close(); err != nil {
			return nil, err
		}
		packed[id] = buf.Bytes()
	}
	return packed, nil
}

// writeLooseFile always writes, also over an object that is there: that one may
// be damaged, or about to be pruned for its age. made is set when the folder is new.
func (o *objects) writeLooseFile(id ObjectID, packed []byte, made *atomic.Bool) error {
	path := o.loosePath(id)
	if err := os.Mkdir(filepath.Dir(path), 0o777); err == nil {
		made.Store(true)
	} else if !errors.Is(err, fs.ErrExist) {
		return err
	}
	// git prunes files of this name that a killed process left behind.
	temp := filepath.Join(filepath.Dir(path), "tmp_obj_cortex"+strconv.FormatUint(rand.Uint64(), 36))
	if err := writeSynced(temp, packed, 0o444); err != nil {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		os.Remove(temp)
		// Windows does not rename over a read-only file.
		if _, rerr := o.readLoose(id); rerr != nil {
			return err
		}
	}
	return nil
}

// writeSynced creates path, which must not exist, and syncs it; on an error
// nothing is left.
func writeSynced(path string, data []byte, mode fs.FileMode) error {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		os.Remove(path)
	}
	return err
}

// inParallel calls do for each item, at most eight at a time, and returns the
// first error.
func inParallel[T any](items []T, do func(T) error) error {
	slots := make(chan struct{}, 8)
	var group sync.WaitGroup
	var once sync.Once
	var first error
	for _, item := range items {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			if err := do(item); err != nil {
				once.Do(func() { first = err })
			}
		})
	}
	group.Wait()
	return first
}

func (o *objects) hasLoose(id ObjectID) bool {
	_, err := os.Stat(o.loosePath(id))
	return err == nil
}
