package index

import (
	"fmt"
	"path/filepath"

	"github.com/git-cortex/cortex/index/internal/cachefile"
)

// Purge forgets the vectors of memories that view does not hold, where those
// are more than half of the file and more than a few: other branches have
// memories too, and vectors are dear to make. It returns how many records went.
// Where another process is writing, nothing happens, which is no error.
func (v *Vectors) Purge(view View) (int, error) {
	if v.index.opt.Dir == "" {
		return 0, nil
	}
	lock, ok, err := v.lock()
	if err != nil || !ok {
		return 0, err
	}
	defer lock.Close()
	wanted := make(map[string]bool, len(view.Items))
	for i := range view.Items {
		wanted[view.Items[i].Blob] = true
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.reopen() // another process may have appended
	var keep []vectorRecord
	if err := v.eachRecord(func(r vectorRecord) {
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
func (v *Vectors) reopen() {
	v.file.close()
	v.file, v.opened = nil, false
	v.open()
}

// replace writes the file anew, with records.
func (v *Vectors) replace(dims int, records []vectorRecord) error {
	data := vectorHeader(v.embedder.Name(), dims, v.idSize())
	for _, r := range records {
		data = append(data, r...)
	}
	if err := cachefile.Replace(v.path(), data); err != nil {
		return fmt.Errorf("writing vectors: %w", err)
	}
	forgetModels(filepath.Dir(v.path()))
	return nil
}
