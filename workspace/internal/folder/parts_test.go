package folder_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/workspace/internal/folder"
)

// TestAllDependencies: those of parts count, and nothing is said where some may be missed.
func TestAllDependencies(t *testing.T) {
	root, left, gauge := `{"dependencies":{"root":"1"}}`, `{"dependencies":{"left":"1"}}`,
		`{"dependencies":{"gauge":"1"}}`
	many := map[string]string{"package.json": root}
	for i := range 200 {
		many[fmt.Sprintf("d%d/x", i)] = ""
	}
	for name, c := range map[string]struct {
		files map[string]string
		want  []string
	}{
		"parts": {
			map[string]string{"package.json": root, "web/package.json": left, "apps/api/package.json": gauge},
			[]string{"gauge", "left", "root"},
		},
		"not ours": {map[string]string{
			"package.json": root, "web/node_modules/package.json": left,
			".next/package.json": left, "a/b/c/package.json": gauge,
		}, []string{"root"}},
		"of .NET and Ruby": {
			map[string]string{"Gemfile": "gem 'root'", "src/a.csproj": `<PackageReference Include="left" Version="1" />`},
			[]string{"left", "root"},
		},
		"none any more": {map[string]string{"go.mod": "module x"}, []string{}},
		"no root":       {map[string]string{"web/package.json": left}, nil},
		"unread":        {map[string]string{"package.json": root, "api/Pipfile": "[packages]"}, nil},
		"a folder":      {map[string]string{"requirements.txt": "root", "requirements/dev.txt": "left"}, nil},
		"large":         {map[string]string{"package.json": root, "web/package.json": strings.Repeat(" ", 1<<20)}, nil},
		"many":          {many, nil},
	} {
		dir := t.TempDir()
		for file, text := range c.files {
			at := filepath.Join(dir, filepath.FromSlash(file))
			if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(at, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		got, files := (folder.Folder{Root: dir}).AllDependencies()
		if !slices.Equal(got, c.want) || (got == nil) != (c.want == nil) || (files == nil) != (c.want == nil) {
			t.Errorf("%s: %v of %v, want %v", name, got, files, c.want)
		}
	}
	if got, _ := (folder.Folder{}).AllDependencies(); got != nil {
		t.Errorf("no folder: %v", got)
	}
}
