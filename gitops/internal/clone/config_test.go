package clone

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

// TestReplaceUnchanged: a lock of ours that somebody who was killed left behind goes even where
// there is nothing to change. One of git's own stays.
func TestReplaceUnchanged(t *testing.T) {
	const data = "[core]\n\tbare = false\n"
	for content, stays := range map[string]bool{lockedConfig: false, "[core]\n": true} {
		path := filepath.Join(t.TempDir(), "config")
		for name, text := range map[string]string{path: data, path + ".lock": content} {
			if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		c := Config{path: path, cache: t.TempDir()}
		if err := c.Replace(t.Context(), []byte(data), []byte(data)); err != nil {
			t.Fatalf("a lock with %q: %v", content, err)
		}
		if _, err := os.Stat(path + ".lock"); errors.Is(err, fs.ErrNotExist) == stays {
			t.Errorf("a lock with %q: stays is %v", content, !stays)
		}
		if now, err := os.ReadFile(path); err != nil || string(now) != data {
			t.Errorf("a lock with %q: the configuration is %q, %v", content, now, err)
		}
	}
}
