package folder

import (
	"os"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/workspace/internal/manifest"
)

// Bounds of [Folder.AllDependencies].
const (
	partsDeep    = 2   // folders below the root, as in services/api
	mostParts    = 200 // folders that are looked at
	mostManifest = 100 // files that are read
)

// AllDependencies returns the names that the manifests at the root of the working tree and
// those of its parts depend on, and the paths of these. Both are nil where others may be missed:
// there is no manifest at the root, one cannot be read, or there are too many parts.
func (t Folder) AllDependencies() (names, manifests []string) {
	p := &parts{tree: t, folders: []string{""}, names: []string{}}
	for at := 0; at < len(p.folders); at++ {
		isRead := p.look(p.folders[at])
		if !isRead || len(p.files) == 0 || len(p.folders) > mostParts {
			return nil, nil
		}
	}
	slices.Sort(p.names)
	return slices.Compact(p.names), p.files
}

// parts is one run of [Folder.AllDependencies].
type parts struct {
	tree    Folder
	folders []string // to look at
	files   []string // manifests that were read
	names   []string
}

// look reads the manifests of a folder, and notes its parts. It reports false where something
// cannot be read.
func (p *parts) look(at string) bool {
	entries, err := os.ReadDir(p.tree.Path(at))
	if p.tree.Root == "" || err != nil {
		return false
	}
	for _, e := range entries {
		if !p.see(path.Join(at, e.Name()), e) {
			return false
		}
	}
	return true
}

// see takes in an entry of a folder.
func (p *parts) see(name string, e os.DirEntry) bool {
	switch {
	case unread(e.Name()):
		return false
	case e.IsDir() && part(name):
		p.folders = append(p.folders, name)
	case manifest.Known(e.Name()):
		return p.add(name)
	}
	return true
}

// add reads a manifest.
func (p *parts) add(name string) bool {
	data, ok, err := p.tree.ReadCapped(name, manifest.MaxSize)
	if p.files = append(p.files, name); err != nil || !ok || len(p.files) > mostManifest {
		return false
	}
	p.names = append(p.names, manifest.Dependencies(path.Base(name), data)...)
	return true
}

// part reports whether a folder may hold a part of the project, and not what others made.
func part(folder string) bool {
	name := path.Base(folder)
	if strings.Count(folder, "/") >= partsDeep || strings.HasPrefix(name, ".") {
		return false
	}
	return !slices.Contains([]string{"node_modules", "vendor", "target", "dist", "build", "testdata"}, name)
}

// unread reports whether what has this name says what a project depends on, in a way that
// package manifest does not read.
func unread(name string) bool {
	switch name {
	case "Pipfile", "setup.py", "setup.cfg", "deno.json", "environment.yml", "rebar.config", "stack.yaml",
		"conanfile.txt", "vcpkg.json", "requirements":
		return true
	}
	others, _ := path.Match("requirements?*.txt", name)
	return others
}
