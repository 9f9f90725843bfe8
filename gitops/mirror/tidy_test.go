package mirror

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/forgetest"
)

// packsOf is how many packs a mirror has.
func packsOf(m *Mirror, repo string) int {
	packs, _ := filepath.Glob(filepath.Join(m.path(repo), "objects", "pack", "*.pack"))
	return len(packs)
}

// TestTidy: many fetches leave few packs, and all of what was kept and read is there without the remote.
func TestTidy(t *testing.T) {
	u, m := newUpstream(t), open(t, Options{})
	forgetest.Git(t, u.bare, "config", "uploadpack.allowFilter", "true")
	forgetest.Git(t, u.bare, "config", "uploadpack.allowAnySHA1InWant", "true")
	var repo string
	want := map[string]string{}
	most := 0
	for i := range maxPacks {
		name, text := fmt.Sprintf("%s/%d.md", Folder, i), fmt.Sprintf("memory %d", i)
		want[name] = text
		oid := u.push(t, map[string]string{name: text, "code.go": text})
		if i == 0 {
			repo = add(t, m, u.url)
		}
		if got := fetch(t, m, repo).OID; got != oid {
			t.Fatalf("the tip is %s, want %s", got, oid)
		}
		if err := m.MoveLast(t.Context(), repo, oid); err != nil {
			t.Fatal(err)
		}
		read(t, m, repo, changes(t, m, repo, "", oid))
		most = max(most, packsOf(m, repo))
	}
	if most > maxPacks+1 || packsOf(m, repo) == 0 {
		t.Errorf("at most %d packs, now %d", most, packsOf(m, repo))
	}
	last, err := m.ref(t.Context(), repo, lastRef)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(u.bare); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, read(t, m, repo, changes(t, m, repo, "", last))); diff != "" {
		t.Error(diff)
	}
}

// TestSHA256: a repository whose objects have the names of sha256 is read like any other.
func TestSHA256(t *testing.T) {
	root := t.TempDir()
	work, bare := filepath.Join(root, "work"), filepath.Join(root, "one.git")
	forgetest.Git(t, root, "init", "-q", "--object-format=sha256", work)
	forgetest.Git(t, root, "init", "-q", "--bare", "--object-format=sha256", bare)
	first := forgetest.Commit(t, work, map[string]string{Folder + "/a.md": "first a"})
	forgetest.Git(t, work, "push", "-q", bare, "HEAD")
	m := open(t, Options{})
	repo := add(t, m, "file://"+filepath.ToSlash(bare))
	tip := fetch(t, m, repo)
	if tip.OID != first || len(first) != 64 {
		t.Fatalf("the tip is %s, want %s", tip.OID, first)
	}
	if diff := cmp.Diff([]string{"+a.md"}, kinds(changes(t, m, repo, "", first))); diff != "" {
		t.Error(diff)
	}
	texts := read(t, m, repo, changes(t, m, repo, "", first))
	if diff := cmp.Diff(map[string]string{Folder + "/a.md": "first a"}, texts); diff != "" {
		t.Error(diff)
	}
	second := forgetest.Commit(t, work, map[string]string{Folder + "/b.md": "b"})
	forgetest.Git(t, work, "push", "-q", bare, "HEAD")
	if tip := fetch(t, m, repo); tip.OID != second {
		t.Errorf("then the tip is %s, want %s", tip.OID, second)
	}
	if diff := cmp.Diff([]string{"+b.md"}, kinds(changes(t, m, repo, first, second))); diff != "" {
		t.Error(diff)
	}
}
