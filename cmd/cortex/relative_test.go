package main

import "testing"

func TestRelativeTo(t *testing.T) {
	root := t.TempDir()
	for path, want := range map[string]string{"a.go": "sub/a.go", "../b.go": "b.go", "./c/d.go": "sub/c/d.go", root + "/e.go": "e.go"} {
		if got, err := relativeTo(root, root+"/sub", path); err != nil || got != want {
			t.Errorf("%s: %q, %v, want %q", path, got, err, want)
		}
	}
	for _, path := range []string{"../../x", "/etc/passwd", "..", root} {
		if got, err := relativeTo(root, root+"/sub", path); err == nil {
			t.Errorf("%s: %q, want an error", path, got)
		}
	}
}
