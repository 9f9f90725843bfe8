package workspace

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
)

// importWriters is how many files are written at once: an fsync is waiting.
const importWriters = 16

// importTarget writes many memory files at once into the working tree.
type importTarget struct {
	root  *os.Root
	dirs  map[string]*os.Root
	ids   map[memory.ID]bool
	paths map[string]bool // taken, relative to the memories folder
}

func newImportTarget(t Folder, w *Workspace, v *View) (*importTarget, error) {
	root, err := t.OpenRoot(MemoriesDir)
	if err != nil {
		return nil, err
	}
	d := &importTarget{root: root, dirs: map[string]*os.Root{}, ids: map[memory.ID]bool{}, paths: map[string]bool{}}
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

func (d *importTarget) close() {
	for _, dir := range d.dirs {
		_ = dir.Close()
	}
	_ = d.root.Close()
}

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
		f := importFile{data: doc.data}
		name := doc.memory.Path()
		if d.paths[name] { // the short ids of two memories of one title are equal
			short := "-" + doc.memory.ID.Short() + ".md"
			name = strings.TrimSuffix(name, short) + "-" + string(doc.memory.ID) + short
		}
		d.paths[name] = true
		var err error
		if f.dir, err = d.dir(path.Dir(name)); err != nil {
			return err
		}
		f.name = path.Base(name)
		files = append(files, f)
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

// dir opens a folder of the memories folder, made if need be.
func (d *importTarget) dir(rel string) (*os.Root, error) {
	if dir, ok := d.dirs[rel]; ok {
		return dir, nil
	}
	name := filepath.FromSlash(MemoryPath(rel))
	err := d.root.MkdirAll(name, 0o777)
	var dir *os.Root
	if err == nil {
		dir, err = d.root.OpenRoot(name)
	}
	if err != nil {
		return nil, fmt.Errorf("making the folder %s: %w", MemoryPath(rel), err)
	}
	if len(d.dirs) > 256 { // months and types; a file handle each
		for old, r := range d.dirs {
			_ = r.Close()
			delete(d.dirs, old)
			break
		}
	}
	d.dirs[rel] = dir
	return dir, nil
}

// importFile is a file that is to be written, first under another name.
type importFile struct {
	dir  *os.Root
	name string
	temp string
	data []byte
}

// writeAll writes files under temporary names, waits until all of them are on
// disk, and renames them: there is never half a file.
func (d *importTarget) writeAll(files []importFile) error {
	for i := range files {
		files[i].temp = ".cortex-" + strconv.Itoa(os.Getpid()) + "-" + strconv.Itoa(i) + ".tmp"
	}
	err := forEach(files, func(f *importFile) error { return f.write(!syncsTogether) })
	if err == nil && syncsTogether && !syncTogether(d.root) {
		err = forEach(files, func(f *importFile) error { return f.write(true) })
	}
	if err == nil {
		err = forEach(files, (*importFile).rename)
	}
	if err != nil {
		for i := range files {
			_ = files[i].dir.Remove(files[i].temp)
		}
	}
	return err
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

func (f *importFile) write(sync bool) error {
	out, err := f.dir.OpenFile(f.temp, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o666)
	if err == nil {
		_, err = out.Write(f.data)
		if err == nil && sync {
			err = out.Sync()
		}
		err = errors.Join(err, out.Close())
	}
	if err != nil {
		return fmt.Errorf("writing %s: %w", f.name, err)
	}
	return nil
}

func (f *importFile) rename() error {
	if err := f.dir.Rename(f.temp, f.name); err != nil {
		return fmt.Errorf("writing %s: %w", f.name, err)
	}
	return nil
}
