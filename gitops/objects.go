package gitops

import (
	"bytes"
	"compress/zlib"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"golang.org/x/sync/errgroup"
)

// ObjectID is the full hexadecimal name of a git object: 40 characters in a
// sha1 repository, 64 in a sha256 one.
type ObjectID = gitobject.ID

func isHexID(s string) bool { return gitobject.IsID(s) }

// Hash is the id that data has as a blob of this repository.
func (r *Repo) Hash(data []byte) ObjectID { return r.objects.format.ID("blob", data) }

// object is a git object in memory.
type object struct {
	kind string // blob, tree, commit
	data []byte
}

// objects is the object store of one repository. What it writes is on disk
// before it says so. It is never changed once made, and is safe for concurrent
// use; whoever reads a good deal makes a [store].
type objects struct {
	git    *gitcmd.Runner
	dir    string // where loose objects are
	format gitobject.Format
}

// maxObject bounds what is read into memory of one object, in bytes.
const maxObject = 64 << 20

var (
	errMissing = errors.New("object is missing")
	errDamaged = gitcmd.ErrDamaged
)

func (o *objects) loosePath(id ObjectID) string {
	return filepath.Join(o.dir, string(id[:2]), string(id[2:]))
}

// readLoose reads a loose object of at most limit bytes and checks it against its id:
// after a power cut, files can be empty or full of zeros. Missing is errMissing.
func (o *objects) readLoose(id ObjectID, limit int64) (object, error) {
	f, err := os.Open(o.loosePath(id))
	if errors.Is(err, fs.ErrNotExist) {
		return object{}, errMissing
	}
	if err != nil {
		return object{}, err
	}
	defer f.Close()
	kind, data, err := o.format.Inflate(f, id, limit)
	if err != nil {
		return object{}, fmt.Errorf("reading object %s: %w: %w", id, errDamaged, err)
	}
	return object{kind, data}, nil
}

// packFrom is how many new objects make a pack: in files of their own each of them
// would cost two calls that wait for the disk. Fewer are written loose, and no pack is
// made for them that git would have to look through.
const packFrom = 24

// written says where objects are that were written: those of packed in pack, the
// others loose.
type written struct {
	pack   string // the file of its index; "" for no pack
	packed map[ObjectID]bool
}

// write writes objects, synced.
func (o *objects) write(ctx context.Context, all map[ObjectID]object) (w written, err error) {
	loose := all
	if len(all) >= packFrom {
		var pack []gitobject.Object
		loose, w.packed = make(map[ObjectID]object), make(map[ObjectID]bool)
		for _, id := range slices.Sorted(maps.Keys(all)) {
			if o.hasLoose(id) { // which may be damaged, or about to be pruned for its age
				loose[id] = all[id]
				continue
			}
			w.packed[id] = true
			pack = append(pack, gitobject.Object{ID: id, Kind: all[id].kind, Data: all[id].data})
		}
		if len(pack) > 0 {
			if w.pack, err = o.writePack(ctx, pack); err != nil {
				return written{}, fmt.Errorf("writing objects: %w", err)
			}
		}
	}
	return w, o.writeLoose(ctx, loose)
}

// keepNote is the content of a file that keeps a pack of cortex.
const keepNote = "cortex: until the journal names these objects\n"

// keepOf returns the file that keeps the pack with that index.
func keepOf(index string) string { return strings.TrimSuffix(index, ".idx") + ".keep" }

// writePack writes a pack and its index, and returns the name of the index. Both
// are complete and on disk before they get their names, the pack first: git knows a
// pack by its index. A file beside them keeps the pack, since a `git repack -a -d`,
// unlike a gc, shows nowhere that it is at work, and deletes the packs that it found
// with what no ref reached then. [objects.release] removes that file.
func (o *objects) writePack(ctx context.Context, all []gitobject.Object) (index string, err error) {
	name, pack, idx, err := o.format.Pack(all)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(o.dir, "pack")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	// git prunes files of these names that a killed process left behind.
	random := strconv.FormatUint(rand.Uint64(), 36)
	temps := []string{filepath.Join(dir, "tmp_pack_cortex"+random), filepath.Join(dir, "tmp_idx_cortex"+random)}
	defer func() {
		for _, temp := range temps {
			os.Remove(temp)
		}
	}()
	files := writers()
	for i, data := range [][]byte{pack, idx} {
		files.Go(func() error { return writeSynced(temps[i], data, 0o444) })
	}
	if err := files.Wait(); err != nil {
		return "", err
	}
	index = filepath.Join(dir, "pack-"+string(name)+".idx")
	if err := os.WriteFile(keepOf(index), []byte(keepNote), 0o666); err != nil {
		return "", err
	}
	for i, to := range []string{strings.TrimSuffix(index, ".idx") + ".pack", index} {
		// Windows does not rename over a read-only file; the same name is the same content.
		if err := atomicfile.Rename(temps[i], to); err != nil && !gitcmd.Exists(to) {
			os.Remove(keepOf(index))
			return "", err
		}
	}
	if err := errors.Join(syncDir(dir), ctx.Err()); err != nil {
		os.Remove(keepOf(index))
		return "", err
	}
	return index, nil
}

// release lets git repack a pack that was written.
func (o *objects) release(w written) {
	if w.pack != "" {
		os.Remove(keepOf(w.pack))
	}
}

// has reports whether an object that was written is still there.
func (o *objects) has(w written, id ObjectID) bool {
	return o.hasLoose(id) || w.packed[id] && gitcmd.Exists(w.pack)
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
	files := writers()
	for _, id := range ids {
		files.Go(func() error {
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
	}
	if err := files.Wait(); err != nil {
		return fmt.Errorf("writing objects: %w", err)
	}
	dirs := slices.Sorted(maps.Keys(folders))
	if made.Load() {
		dirs = append(dirs, o.dir)
	}
	synced := writers()
	for _, dir := range dirs {
		synced.Go(func() error { return syncName(dir) })
	}
	if err := synced.Wait(); err != nil {
		return fmt.Errorf("syncing objects: %w", err)
	}
	return nil
}

// deflate encodes objects for their files. Most are small and only stored, and one
// compressor serves all others. go-git's objfile.Writer does the same at a higher level
// of compression: five objects of a capture take it 0.8 ms in a new process, and a
// compressor of this level 0.3 ms.
func deflate(all map[ObjectID]object) (map[ObjectID][]byte, error) {
	packed := make(map[ObjectID][]byte, len(all))
	var z *zlib.Writer
	for id, o := range all {
		head := fmt.Appendf(nil, "%s %d\x00", o.kind, len(o.data))
		if packed[id] = gitobject.Stored(head, o.data); packed[id] != nil {
			continue
		}
		if z == nil {
			var err error
			if z, err = zlib.NewWriterLevel(io.Discard, zlib.BestSpeed); err != nil {
				return nil, err
			}
		}
		var buf bytes.Buffer
		z.Reset(&buf)
		_, _ = z.Write(head)
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
	if err := atomicfile.Rename(temp, path); err != nil {
		os.Remove(temp)
		// Windows does not rename over a read-only file.
		if _, rerr := o.readLoose(id, maxObject); rerr != nil {
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
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(path)
	}
	return err
}

// writers are goroutines that share writing: the file system commits together
// what several sync at once.
func writers() *errgroup.Group {
	group := new(errgroup.Group)
	group.SetLimit(8)
	return group
}

// syncName makes the names in a folder durable, if it is there.
func syncName(dir string) error {
	if err := syncDir(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

func (o *objects) hasLoose(id ObjectID) bool {
	_, err := os.Stat(o.loosePath(id))
	return err == nil
}

// HasBlob reports whether the loose file of an object is there and whole.
func (o *objects) HasBlob(id ObjectID) bool {
	_, err := o.readLoose(id, maxObject)
	return err == nil
}

// WriteBlobs writes contents as blobs, synced.
func (o *objects) WriteBlobs(ctx context.Context, contents [][]byte) error {
	all := make(map[ObjectID]object, len(contents))
	for _, data := range contents {
		all[o.format.ID("blob", data)] = object{"blob", data}
	}
	_, err := o.write(ctx, all)
	return err
}
