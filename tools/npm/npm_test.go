package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestPackages: there is a package for each system under the names that Node has for
// it, and the one that people install names them all in the same version.
func TestPackages(t *testing.T) {
	top := t.TempDir()
	put := func(name, text string) {
		t.Helper()
		path := filepath.Join(top, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	dist, to := filepath.Join(top, "dist"), filepath.Join(top, "npm")
	put("dist/metadata.json", `{"version": "0.2.0"}`)
	put("dist/artifacts.json", `[]`)
	if err := run([]string{dist, to}); err == nil {
		t.Error("packages of no program")
	}
	put("share/man/man1/cortex.1", "manual")
	put("dist/l/cortex", "linux")
	put("dist/w/cortex.exe", "windows")
	put("dist/artifacts.json", `[
		{"path": "dist/l/cortex", "goos": "linux", "goarch": "amd64", "type": "Binary"},
		{"path": "dist/w/cortex.exe", "goos": "windows", "goarch": "arm64", "type": "Binary"},
		{"path": "dist/checksums.txt", "type": "Checksum"}]`)
	if err := run([]string{dist, to}); err != nil {
		t.Fatal(err)
	}
	read := func(name string) (m manifest) {
		t.Helper()
		data, err := os.ReadFile(filepath.Join(to, "@git-cortex", name, "package.json"))
		if err == nil {
			err = json.Unmarshal(data, &m)
		}
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	want := map[string]string{"@git-cortex/cortex-linux-x64": "0.2.0", "@git-cortex/cortex-win32-arm64": "0.2.0"}
	if diff := cmp.Diff(want, read("cortex").Optional); diff != "" {
		t.Errorf("optional dependencies (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"man/cortex.1"}, read("cortex").Man); diff != "" {
		t.Errorf("the manual (-want +got):\n%s", diff)
	}
	windows := read("cortex-win32-arm64")
	if diff := cmp.Diff([][]string{{"win32"}, {"arm64"}, {"cortex.exe"}}, [][]string{windows.OS, windows.CPU, windows.Files}); diff != "" {
		t.Errorf("the package of Windows (-want +got):\n%s", diff)
	}
	program := filepath.Join(to, "@git-cortex", "cortex-linux-x64", "cortex")
	if info, err := os.Stat(program); err != nil || info.Mode()&0o100 == 0 && os.PathSeparator == '/' {
		t.Errorf("the program cannot be run: %v, %v", info, err)
	}
}
