package gitops

import (
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
)

// EmptyTree is the id of a tree without entries.
func (r *Repo) EmptyTree() ObjectID { return r.objects.format.ID("tree", nil) }

// FolderID returns the id that a folder dir has if it holds the files of entries,
// whose paths are all below it, none executable, and nothing else. It sorts
// entries by path, which is the order of git's trees: a folder counts there as if
// its name ended in "/". The lines of a tree are written here and not by
// gitobject, which takes several times as long for what is only
// compared.
func (r *Repo) FolderID(dir string, entries []Entry) (ObjectID, error) {
	lists.Sort(entries, func(a, b Entry) int { return strings.Compare(a.Path, b.Path) })
	id, err := r.folderID(len(dir)+1, entries)
	if err != nil {
		return "", fmt.Errorf("naming the folder %s: %w", dir, err)
	}
	return id, nil
}

// folderID is FolderID of sorted entries, whose names in the folder begin at a
// byte of their paths.
func (r *Repo) folderID(at int, entries []Entry) (ObjectID, error) {
	data := make([]byte, 0, 64*len(entries))
	for len(entries) > 0 {
		name, _, nested := strings.Cut(entries[0].Path[at:], "/")
		mode, id, n := "100644 ", entries[0].Blob, 1
		if nested {
			within := entries[0].Path[:at+len(name)+1]
			for n < len(entries) && strings.HasPrefix(entries[n].Path, within) {
				n++
			}
			below, err := r.folderID(len(within), entries[:n])
			if err != nil {
				return "", err
			}
			mode, id = "40000 ", below
		}
		data = append(append(append(data, mode...), name...), 0)
		var err error
		if data, err = hex.AppendDecode(data, []byte(id)); err != nil {
			return "", err
		}
		entries = entries[n:]
	}
	return r.objects.format.ID("tree", data), nil
}
