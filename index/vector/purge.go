package vector

import (
	"fmt"
	"path/filepath"

	"github.com/git-cortex/cortex/index/internal/cachefile"
	"github.com/git-cortex/cortex/internal/lists"
)

// Purge forgets the vectors of all memories but those named by blobs, if they are
// more than half of the file and more than a few: other branches have memories
// too, and vectors are dear to make. It returns how many records went. While
// another process is writing, nothing happens, which is no error.
func (v *Store) Purge(blobs []string) (int, error) {
	if v.opt.Dir == "" {
		return 0, nil
	}
	lock, ok, err := v.lock()
	if err != nil || !ok {
		return 0, err
	}
	defer lock.Close()
	wanted := lists.Set(blobs)
	v.mu.Lock()
	defer v.mu.Unlock()
	v.reopen() // another process may have appended
	var keep []record
	if err := v.eachRecord(func(r record) {
		if blob := r.blob(v.idSize()); wanted[blob] {
			wanted[blob] = false
			keep = append(keep, r)
		}
	}); err != nil {
		return 0, fmt.Errorf("reading vectors: %w", err)
	}
	gone := v.file.count() - len(keep)
	if gone < wasteFrom || 2*gone < v.file.count() {
		return 0, nil
	}
	if err := v.replace(v.file.dims, keep); err != nil {
		return 0, err
	}
	v.reopen()
	return gone, nil
}

// reopen makes the next look at the file one at what is there now. mu is held.
func (v *Store) reopen() {
	v.file.close()
	v.file, v.opened = nil, false
	v.open()
}

// replace writes the file anew, with records.
func (v *Store) replace(dims int, records []record) error {
	data := formatHeader(v.opt.Model.Name(), dims, v.idSize())
	for _, r := range records {
		data = append(data, r...)
	}
	if err := cachefile.Replace(v.path(), data); err != nil {
		return fmt.Errorf("writing vectors: %w", err)
	}
	forgetModels(filepath.Dir(v.path()))
	return nil
}
