package browser

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDemo: the pages show what the demo leaves. Of the pictures that `.ci/browser FOLDER` keeps,
// docs/page.png is demo-review.png.
func TestDemo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	_, rest, _ := strings.Cut(run(t, t.TempDir(), cortex, "demo"), "yours to explore: ")
	played, _, _ := strings.Cut(rest, "\n")
	dir := filepath.Join(t.TempDir(), "tidewatch")
	if err := os.Rename(played, dir); err != nil {
		t.Fatal(err)
	}
	v := visit(t, dir, 1000, false)
	for _, path := range []string{"", "review"} {
		v.open(path)
		v.shoot("demo-" + name(path))
		v.tidy("the demo's page " + path)
	}
}
