package index

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// TestHealingEndsWithItsCaller: a text that is damaged on disk is fetched again
// under the context of whoever asks for it.
func TestHealingEndsWithItsCaller(t *testing.T) {
	m := memo(memory.Decision, "Bluge over FTS5", "A body that is damaged on disk below.")
	data := memory.Format(m)
	item := Item{Blob: BlobID(data, false), Path: m.Path()}
	dir := filepath.Join(t.TempDir(), "cache")
	fetch := func(ctx context.Context, _ []string, yield func(string, []byte) error) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return yield(item.Blob, data)
	}
	x := Open(Options{Dir: dir})
	if _, err := x.Fill(t.Context(), []Item{item}, fetch); err != nil {
		t.Fatal(err)
	}
	if err := x.Close(); err != nil {
		t.Fatal(err)
	}
	damageTexts(t, dir)
	x = Open(Options{Dir: dir})
	defer x.Close()
	if _, err := x.Fill(t.Context(), []Item{item}, fetch); err != nil {
		t.Fatal(err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	if _, ok := x.Catalog().Memory(ended, item.Blob); ok {
		t.Error("the text was fetched for a caller that had ended")
	}
	if got, ok := x.Catalog().Memory(t.Context(), item.Blob); ok {
		t.Errorf("the catalog still knows %q, which could not be read", got.Title)
	}
	if _, err := x.Fill(t.Context(), []Item{item}, fetch); err != nil {
		t.Fatal(err)
	}
	if got, ok := x.Catalog().Memory(t.Context(), item.Blob); !ok || got.Text != m.Text {
		t.Errorf("after Fill: %v, %v", got, ok)
	}
}

// damageTexts writes zeros over the texts that a catalog keeps in dir.
func damageTexts(t *testing.T, dir string) {
	t.Helper()
	texts, err := filepath.Glob(filepath.Join(dir, "catalog*text*"))
	if err != nil || len(texts) != 1 {
		t.Fatalf("text files of the catalog: %q, %v", texts, err)
	}
	zeros, err := os.ReadFile(texts[0])
	if err == nil {
		clear(zeros)
		err = os.WriteFile(texts[0], zeros, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}
