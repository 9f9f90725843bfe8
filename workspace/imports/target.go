package imports

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/places"
	"github.com/git-cortex/cortex/workspace/internal/view"
)

// writers is how many files are written at once: each mostly waits for the disk.
const writers = 16

// target writes many memory files into the working tree at once, or many pending memories
// into the journal, and knows which memories are there.
type target struct {
	root  *os.Root
	temp  string          // the folder of temporary files, below root
	made  map[string]bool // folders
	ids   map[memory.ID]bool
	paths map[string]bool // taken, relative to the memories folder
	dry   bool            // nothing is written

	journal *workspace.Workspace // for an import that an agent runs; nil for the working tree
}

// openTarget opens the memories of a working tree. With dry nothing is written.
func openTarget(ctx context.Context, w *workspace.Workspace, dry bool) (*target, error) {
	t, err := w.Tree()
	if err != nil {
		return nil, err
	}
	v, err := w.View(ctx, workspace.ViewOptions{Local: true, Unreviewed: true})
	if err != nil {
		return nil, err
	}
	d, err := newTarget(t, w.Index.Catalog(), v)
	if err != nil {
		return nil, err
	}
	d.dry = dry
	if w.ByAgent() { // what nobody here has said does not land unasked
		d.journal = w
		d.alsoPending(w.Index.Catalog(), v)
	}
	return d, nil
}

// finish brings the pages in step with what was written, also by an earlier run that was
// killed before it came to that.
func (d *target) finish(ctx context.Context, w *workspace.Workspace, out *Result) error {
	if out.Added+out.Known == 0 || d.dry || d.journal != nil {
		return nil
	}
	return w.RefreshPages(ctx)
}

func newTarget(t workspace.Folder, catalog *index.Catalog, v *workspace.View) (*target, error) {
	root, err := t.OpenRoot(workspace.MemoriesDir)
	if err != nil {
		return nil, err
	}
	d := &target{
		root: root, temp: t.Cache, made: map[string]bool{}, ids: map[memory.ID]bool{},
		paths: map[string]bool{},
	}
	for i := range v.Items {
		it := &v.Items[i]
		if it.Stage != index.Landed {
			continue
		}
		d.paths[strings.TrimPrefix(it.Path, workspace.MemoriesDir+"/")] = true
		if f, ok := catalog.Facts(it.Blob); ok {
			d.ids[f.ID] = true
		}
	}
	for _, p := range v.Problems {
		d.paths[strings.TrimPrefix(p.Path, workspace.MemoriesDir+"/")] = true
	}
	return d, nil
}

func (d *target) close() { _ = d.root.Close() }

// take writes those of docs that are new, and counts all of them in out.
func (d *target) take(ctx context.Context, docs []document, out *Result) error {
	var fresh []*memory.Memory
	var files []file
	for i := range docs {
		doc := &docs[i]
		out.Documents++
		switch {
		case doc.err != nil:
			out.Skipped = noted(out.Skipped, doc.line, doc.err.Error())
			continue
		case d.ids[doc.memory.ID]:
			out.Known++
			continue
		}
		d.ids[doc.memory.ID] = true
		for _, note := range doc.notes {
			out.Notes = noted(out.Notes, doc.line, note)
		}
		if doc.redacted {
			out.Redacted++
		}
		name := doc.memory.Path()
		if d.paths[name] { // the short ids of two memories of one title are equal
			short := "-" + doc.memory.ID.Short() + ".md"
			name = strings.TrimSuffix(name, short) + "-" + string(doc.memory.ID) + short
		}
		d.paths[name] = true
		files = append(files, file{path: view.MemoryPath(name), data: doc.data})
		fresh = append(fresh, doc.memory)
	}
	if err := d.write(ctx, files, fresh); err != nil {
		return err
	}
	if d.journal != nil {
		out.Waiting += len(files)
	}
	out.Added += len(files)
	return nil
}

// write writes the files of the memories fresh, or puts these into the journal.
func (d *target) write(ctx context.Context, files []file, fresh []*memory.Memory) error {
	switch {
	case d.dry || len(fresh) == 0:
		return nil
	case d.journal == nil:
		return d.writeAll(files)
	}
	w := d.journal
	branch := w.Secrets.Branch(ctx, w.Repo.Topic)
	return w.Journal.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		c := gitops.Change{
			Message:  fmt.Sprintf("import: %d memories that wait for a person", len(fresh)),
			Trailers: w.Trailers("", branch), When: w.Now(), Put: map[string][]byte{},
		}
		for _, m := range fresh {
			p, err := places.New(ctx, snap, branch, m)
			if err != nil {
				return c, err
			}
			c.Put[p] = memory.Format(m)
		}
		return c, nil
	})
}

// alsoPending notes the pending memories of a view, so that none is imported twice.
func (d *target) alsoPending(catalog *index.Catalog, v *workspace.View) {
	for i := range v.Items {
		if f, ok := catalog.Facts(v.Items[i].Blob); ok {
			d.ids[f.ID] = true
		}
	}
}

func noted(list []index.Problem, line int, text string) []index.Problem {
	if len(list) == maxListed {
		return list
	}
	return append(list, index.Problem{Line: line, Text: text})
}

// file is a file that is to be written, first under another name.
type file struct {
	path string // relative to the top of the working tree
	data []byte
	file *atomicfile.File
}

// writeAll writes files under temporary names, waits until all of them are on
// disk, and renames them: there is never half a file.
func (d *target) writeAll(files []file) error {
	dirs, err := d.makeFolders(files)
	if err != nil {
		return err
	}
	defer func() {
		for i := range files {
			files[i].close()
		}
	}()
	if err := d.writeAside(files); err != nil {
		return err
	}
	if err := forEach(files, func(f *file) error { return f.rename(d.root, d.temp) }); err != nil {
		return err
	}
	for _, dir := range dirs {
		err = errors.Join(err, atomicfile.SyncDir(d.root, dir))
	}
	return err
}

// writeAside writes files under temporary names, until all of them are on disk.
func (d *target) writeAside(files []file) error {
	err := forEach(files, func(f *file) error { return f.write(d.root, d.temp, !syncsTogether) })
	if err != nil || !syncsTogether || syncTogether(d.root) {
		return err
	}
	return forEach(files, func(f *file) error { return f.write(d.root, d.temp, true) })
}

// makeFolders makes the folders of files, and returns them with those above in
// which a folder is new.
func (d *target) makeFolders(files []file) ([]string, error) {
	dirs := map[string]bool{}
	for i := range files {
		dir := path.Dir(files[i].path)
		dirs[dir] = true
		if d.made[dir] {
			continue
		}
		d.made[dir] = true
		if err := d.root.MkdirAll(filepath.FromSlash(dir), 0o777); err != nil {
			return nil, fmt.Errorf("making the folder %s: %w", dir, err)
		}
		for above := path.Dir(dir); above != "."; above = path.Dir(above) {
			dirs[above] = true
		}
	}
	return slices.Sorted(maps.Keys(dirs)), nil
}

// forEach runs do for every file, several at once.
func forEach(files []file, do func(*file) error) error {
	next := make(chan int)
	errs := make([]error, writers)
	var group sync.WaitGroup
	for k := range writers {
		group.Go(func() {
			for i := range next {
				if errs[k] == nil {
					errs[k] = do(&files[i])
				}
			}
		})
	}
	for i := range files {
		next <- i
	}
	close(next)
	group.Wait()
	return errors.Join(errs...)
}

// write makes the temporary file, in the folder temp if that is there: where a kill leaves
// it in nobody's way. If there is one already, it is made anew.
func (f *file) write(root *os.Root, temp string, sync bool) error {
	f.close()
	opt := atomicfile.Options{Temp: temp, NoSync: !sync, NoSyncDir: true}
	var err error
	if f.file, err = atomicfile.Create(root, f.path, opt); err != nil && temp != "" {
		opt.Temp = ""
		f.file, err = atomicfile.Create(root, f.path, opt)
	}
	if err == nil {
		_, err = f.file.Write(f.data)
	}
	if err == nil {
		err = f.file.Seal()
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", f.path, err)
	}
	return nil
}

// rename puts the file into its place. From a folder on another file system that cannot be
// done, and it is written beside its place then.
func (f *file) rename(root *os.Root, temp string) error {
	err := f.file.Commit()
	if err != nil && temp != "" {
		if err = f.write(root, "", true); err == nil {
			err = f.file.Commit()
		}
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", f.path, err)
	}
	return nil
}

// close removes a temporary file that was not renamed.
func (f *file) close() {
	if f.file != nil {
		f.file.Close()
	}
}
