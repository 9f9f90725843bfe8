package hookstate

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/memory"
)

// TestHeavy: a tool call makes the table of few memories, and renews that of more.
func TestHeavy(t *testing.T) {
	root := t.TempDir()
	p := Place{gitops.Worktree{Root: root, Git: filepath.Join(root, ".git"), Common: filepath.Join(root, ".git")}}
	for _, dir := range []string{filepath.Dir(p.Table()), filepath.Join(p.Git, "objects"), filepath.Join(p.Git, "refs")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.MkdirAll(filepath.Join(root, ".cortex"), 0o777); err != nil {
		t.Fatal(err)
	}
	files := 0
	check := func(what string, want bool) {
		t.Helper()
		if HeavyWith(root, files) != want || want && !HeavyWith(root, files*19/20) {
			t.Errorf("%s: heavy with %d = %v", what, files, !want)
		}
		if p.Heavy() != want {
			t.Errorf("%s: heavy = %v", what, !want)
		}
	}
	check("no memories", false)
	for i := range heavyAnew + 1 {
		if i == heavyAnew*9/10 {
			check("few memories", false)
		}
		files++
		month := filepath.Join(root, ".cortex", "memories", "fix", fmt.Sprintf("2026-%02d", 1+i%12))
		if err := os.MkdirAll(month, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(month, fmt.Sprint(i, ".md")), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	check("many memories", true)
	for stamp, want := range map[string]bool{"": true, "stamp": false} {
		if err := os.WriteFile(p.Table(), recall.Build(stamp, nil, nil, 0, nil), 0o666); err != nil {
			t.Fatal(err)
		}
		check("many memories, and a table with the stamp "+stamp, want)
	}
	m := memory.New(memory.Fix, "It is so", "", time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC))
	for n, want := range map[int]bool{heavyAgain: false, heavyAgain + 1: true} {
		data := recall.Build("stamp", make([]recall.Doc, n), nil, n, func(int) *memory.Memory { return m })
		if err := os.WriteFile(p.Table(), data, 0o666); err != nil {
			t.Fatal(err)
		}
		if p.Heavy() != want {
			t.Errorf("a table of %d: heavy = %v", n, !want)
		}
	}
}
