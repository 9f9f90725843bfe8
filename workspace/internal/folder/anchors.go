package folder

import (
	"os"
	"path/filepath"
	"slices"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/manifest"
)

// Path returns the path of a file for the operating system.
func (t Folder) Path(rel string) string { return filepath.Join(t.Root, filepath.FromSlash(rel)) }

// Exists reports whether something, also a link that leads nowhere, is at a path.
func (t Folder) Exists(rel string) bool {
	if t.Root == "" || !memory.ValidPath(rel) {
		return false
	}
	_, err := os.Lstat(t.Path(rel))
	return err == nil
}

// Holds reports whether dir, a path for the operating system, is the folder or
// lies in it.
func (t Folder) Holds(dir string) bool {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	_, in := gitops.Below(t.Root, dir)
	return in
}

// Disposable returns the folder for writing what can be made again: nothing waits
// for the disk.
func (t Folder) Disposable() Folder {
	t.disposable = true
	return t
}

// maxAnchored bounds the files that are hashed for anchors.
const maxAnchored = 1 << 20

// Blob is the id that a file would have in git; ok is false when there is no
// such file, or it is too large for an anchor.
func (t Folder) Blob(rel string) (id string, ok bool) {
	data, ok, err := t.ReadCapped(rel, maxAnchored)
	if err != nil || !ok {
		return "", false
	}
	return string(t.Hash(data)), true
}

// Anchors returns what the named files are now. Those that are not there, or are
// over 1 MiB, are left out.
func (t Folder) Anchors(files []string) []memory.Anchor {
	var out []memory.Anchor
	for _, f := range files {
		if blob, ok := t.Blob(f); ok {
			out = append(out, memory.Anchor{Path: f, Blob: blob})
		}
	}
	return out
}

// Dependencies returns the names that the manifests at the root of the working
// tree depend on. What cannot be read is left out.
func (t Folder) Dependencies() []string {
	var names []string
	t.manifests(func(file string, data []byte) { names = append(names, manifest.Dependencies(file, data)...) })
	slices.Sort(names)
	return slices.Compact(names)
}

// ProjectNames returns what the manifests at the root of the working tree call their
// project.
func (t Folder) ProjectNames() []string {
	var names []string
	t.manifests(func(file string, data []byte) {
		if name := manifest.Name(file, data); name != "" {
			names = append(names, name)
		}
	})
	return names
}

// manifests visits the manifests at the root of the working tree that can be read.
func (t Folder) manifests(visit func(file string, data []byte)) {
	for _, file := range manifest.Files() {
		if data, ok, err := t.ReadCapped(file, manifest.MaxSize); err == nil && ok {
			visit(file, data)
		}
	}
}
