package workspace

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/memory"
)

// importWriters is how many files are written at once: an fsync is waiting.
const importWriters = 16

// importTarget writes many memory files at once into the working tree.
type importTarget struct {
	root  *os.Root
	made  map[string]bool // folders
	ids   map[memory.ID]bool
	paths map[string]bool // taken, relative to the memories folder
}

func newImportTarget(t Folder, w *Workspace, v *View) (*importTarget, error) {
	root, err := t.OpenRoot(MemoriesDir)
	if err != nil {
		return nil, err
	}
	d := &importTarget{root: root, made: map[string]bool{}, ids: map[memory.ID]bool{}, paths: map[string]bool{}}
	for i := range v.Items {
		it := &v.Items[i]
		if it.Stage != index.Landed {
			continue
		}
		d.paths[strings.TrimPrefix(it.Path, MemoriesDir+"/")] = true
		if f, ok := w.Index.Catalog().Facts(it.Blob); ok {
			d.ids[f.ID] = true
		}
	}
	for _, p := range v.Problems {
		d.paths[strings.TrimPrefix(p.Path, MemoriesDir+"/")] = true
	}
	return d, nil
}

func (d *importTarget) close() { _ = d.root.Close() }

// take writes what is new among docs and counts all of them in out.
func (d *importTarget) take(docs []importedDocument, out *Imported) error {
	var files []importFile
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
		files = append(files, importFile{path: MemoryPath(name), data: doc.data})
	}
	if err := d.writeAll(files); err != nil {
		return err
	}
	out.Added += len(files)
	return nil
}

func noted(list []index.Problem, line int, text string) []index.Problem {
	if len(list) == importSkipped {
		return list
	}
	return append(list, index.Problem{Line: line, Text: text})
}

// importFile is a file that is to be written, first under another name.
type importFile struct {
	path string // relative to the top of the working tree
	data []byte
	file *atomicfile.File
}

// writeAll writes files under temporary names, waits until all of them are on
// disk, and renames them: there is never half a file.
func (d *importTarget) writeAll(files []importFile) error {
	dirs, err := d.makeFolders(files)
	if err != nil {
		return err
	}
	defer func() {
		for i := range files {
			files[i].close()
		}
	}()
	err = forEach(files, func(f *importFile) error { return f.write(d.root, !syncsTogether) })
	if err == nil && syncsTogether && !syncTogether(d.root) {
		err = forEach(files, func(f *importFile) error { return f.write(d.root, true) })
	}
	if err == nil {
		err = forEach(files, (*importFile).rename)
	}
	for i := 0; i < len(dirs) && err == nil; i++ {
		err = atomicfile.SyncDir(d.root, dirs[i])
	}
	return err
}

// makeFolders makes the folders of files, and returns them with those above in
// which a folder is new.
func (d *importTarget) makeFolders(files []importFile) ([]string, error) {
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
func forEach(files []importFile, do func(*importFile) error) error {
	next := make(chan int)
	errs := make([]error, importWriters)
	var group sync.WaitGroup
	for k := range importWriters {
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

// write makes the temporary file; if there is one already, it is made anew.
func (f *importFile) write(root *os.Root, sync bool) error {
	f.close()
	var err error
	f.file, err = atomicfile.Create(root, f.path, atomicfile.Options{NoSync: !sync, NoSyncDir: true})
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

func (f *importFile) rename() error {
	if err := f.file.Commit(); err != nil {
		return fmt.Errorf("writing %s: %w", f.path, err)
	}
	return nil
}

// close takes back what was not renamed.
func (f *importFile) close() {
	if f.file != nil {
		f.file.Close()
	}
}
