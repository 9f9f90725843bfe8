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
// those of its parts depend on. It returns none where others may be missed: there is no
// manifest at the root, one cannot be read, or there are too many parts.
func (t Folder) AllDependencies() []string {
	if t.Root == "" {
		return nil
	}
	var names []string
	files, folders := 0, []string{""}
	for i := 0; i < len(folders); i++ {
		at := folders[i]
		entries, err := os.ReadDir(t.Path(at))
		if err != nil || len(folders) > mostParts {
			return nil
		}
		for _, e := range entries {
			switch name := path.Join(at, e.Name()); {
			case unread(e.Name()):
				return nil
			case e.IsDir() && part(e.Name()) && (at == "" || strings.Count(at, "/") < partsDeep-1):
				folders = append(folders, name)
			case slices.Contains(manifest.Files(), e.Name()):
				data, ok, err := t.ReadCapped(name, manifest.MaxSize)
				if files++; err != nil || !ok || files > mostManifest {
					return nil
				}
				names = append(names, manifest.Dependencies(e.Name(), data)...)
			}
		}
		if at == "" && files == 0 {
			return nil
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// part reports whether a folder of this name may hold a part of the project, and not what
// others made.
func part(name string) bool {
	return !strings.HasPrefix(name, ".") && !slices.Contains([]string{"node_modules", "vendor", "target", "dist", "build", "testdata"}, name)
}

// unread reports whether what has this name says what a project depends on, in a way that
// package manifest does not read.
func unread(name string) bool {
	switch name {
	case "Gemfile", "composer.json", "build.gradle", "build.gradle.kts", "mix.exs", "Pipfile", "setup.py", "setup.cfg", "Package.swift", "pubspec.yaml", "deno.json",
		"environment.yml", "build.sbt", "rebar.config", "stack.yaml", "conanfile.txt", "vcpkg.json", "requirements":
		return true
	}
	return strings.HasSuffix(name, ".csproj") || strings.HasPrefix(name, "requirements") && strings.HasSuffix(name, ".txt") && name != "requirements.txt"
}
