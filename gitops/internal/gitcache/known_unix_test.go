//go:build unix

package gitcache

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAsker: what git said to another question, or of another installation, is no answer.
func TestAsker(t *testing.T) {
	dir, prefix := t.TempDir(), t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"objects/x", "refs/heads/main", "cortex/log"} {
		write(filepath.Join(dir, ".git", filepath.FromSlash(name)), "x\n")
	}
	write(filepath.Join(dir, ".git", "HEAD"), "ref: refs/heads/main\n")
	for _, version := range []string{"1", "2"} {
		write(filepath.Join(prefix, "versions", version, "bin", "git"), "")
	}
	if err := os.Mkdir(filepath.Join(prefix, "bin"), 0o777); err != nil {
		t.Fatal(err)
	}
	linked := filepath.Join(prefix, "bin", "git") // as programs are that a package manager links
	install := func(version string) {
		t.Helper()
		_ = os.Remove(linked)
		if err := os.Symlink(filepath.Join(prefix, "versions", version, "bin", "git"), linked); err != nil {
			t.Fatal(err)
		}
	}
	install("1")
	a := Asker{
		Git: linked, Dir: dir,
		Asks: map[Question][]string{Settings: {"config", "a"}, Where: {"rev-parse", "a"}},
	}
	look := func(what string, only ...Question) {
		t.Helper()
		if len(only) == 0 {
			only = []Question{Settings, Where}
		}
		for _, q := range only {
			if _, ok := Look(a).Get(q); ok {
				t.Errorf("after %.30s, %s is answered", what, q)
			}
			Look(a).Keep(q, []byte(what))
			if got, ok := Look(a).Get(q); !ok || string(got) != what {
				t.Errorf("after %.30s, %s: %.30q, %v", what, q, got, ok)
			}
		}
	}
	look("nothing")
	a.Asks = map[Question][]string{Settings: {"config", "b"}, Where: {"rev-parse", "b"}}
	look("another question")
	write(filepath.Join(prefix, "etc", "gitconfig"), "[user]\n\tname = a\n")
	look("a file beside the link")
	write(filepath.Join(prefix, "versions", "1", "etc", "gitconfig"), "[user]\n\tname = b\n")
	look("a file beside the binary")
	install("2")
	look("another version")
	for _, letter := range []string{"a", "b", "c", "d"} { // the oldest give way
		a.Asks[Settings] = []string{letter}
		look(strings.Repeat(letter, size/3), Settings)
	}
	Look(a).Keep(Where, make([]byte, 2*size))
	if _, ok := Look(a).Get(Settings); !ok {
		t.Error("an answer that is too large took the place of the others")
	}
}
