package mirror

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/internal/forgetest"
	"github.com/git-cortex/cortex/internal/testrun"

	"github.com/google/go-cmp/cmp"
)

func fastImport(t *testing.T, dir, file string) {
	t.Helper()
	in, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	cmd := exec.Command("git", "fast-import", "--quiet")
	cmd.Dir, cmd.Env, cmd.Stdin = dir, forgetest.Environ(t.TempDir()), in
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// TestKilledFetch: what a killed git leaves behind is taken away by the next fetch.
func TestKilledFetch(t *testing.T) {
	u, m := newUpstream(t), open(t, Options{})
	u.push(t, map[string]string{Folder + "/a.md": "a"})
	repo := add(t, m, u.url)
	first := fetch(t, m, repo)
	u.push(t, map[string]string{Folder + "/b.md": "b"})
	old := time.Now().Add(-time.Minute)
	for _, name := range []string{
		"refs/hub/tip.lock", "packed-refs.lock", "config.lock", "objects/pack/tmp_pack_x", "shallow.lock",
	} {
		path := filepath.Join(m.path(repo), filepath.FromSlash(name))
		if err := os.WriteFile(path, []byte("half"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, old, old); err != nil {
			t.Fatal(err)
		}
	}
	second := fetch(t, m, repo)
	if diff := cmp.Diff([]string{"+b.md"}, kinds(changes(t, m, repo, first.OID, second.OID))); diff != "" {
		t.Error(diff)
	}
	if left := m.coming(repo); len(left) != 0 {
		t.Errorf("%v are left", left)
	}
	if err := os.MkdirAll(filepath.Join(m.dir, "new-"+Key(u.url+"2"), "half"), 0o777); err != nil {
		t.Fatal(err)
	}
	add(t, m, u.url+"2")
	forgetest.Git(t, m.path(repo), "-c", "remote.hub.promisor=true", "fsck", "--connectivity-only")
}

// TestDamage: a damaged mirror is an error with that name, never an empty repository; made
// anew it is as before.
func TestDamage(t *testing.T) {
	for name, damage := range map[string]func(t *testing.T, dir string){
		"packs gone": func(t *testing.T, dir string) {
			if err := os.RemoveAll(filepath.Join(dir, "objects", "pack")); err != nil {
				t.Fatal(err)
			}
		},
		"packs cut": func(t *testing.T, dir string) {
			packs, _ := filepath.Glob(filepath.Join(dir, "objects", "pack", "*.pack"))
			for _, pack := range packs {
				if err := os.Chmod(pack, 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Truncate(pack, 20); err != nil {
					t.Fatal(err)
				}
			}
		},
		"no repository": func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, "HEAD")); err != nil {
				t.Fatal(err)
			}
		},
		"no address": func(t *testing.T, dir string) {
			if err := os.Remove(filepath.Join(dir, urlFile)); err != nil {
				t.Fatal(err)
			}
		},
		"all gone": func(t *testing.T, dir string) {
			if err := os.RemoveAll(dir); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			u, m := newUpstream(t), open(t, Options{})
			u.push(t, map[string]string{Folder + "/a.md": "a"})
			repo := add(t, m, u.url)
			tip := fetch(t, m, repo)
			damage(t, m.path(repo))
			if got, err := m.Changes(t.Context(), repo, tip.OID, tip.OID); !errors.Is(err, ErrDamaged) {
				t.Errorf("changes %v, %v", got, err)
			}
			now := u.push(t, map[string]string{Folder + "/b.md": "b"})
			if got, err := m.Fetch(t.Context(), repo); !errors.Is(err, ErrDamaged) {
				t.Errorf("fetched %v, %v", got, err)
			}
			if err := m.Remove(t.Context(), repo); err != nil {
				t.Fatal(err)
			}
			if again := add(t, m, u.url); again != repo || fetch(t, m, repo).OID != now {
				t.Error("made anew it is another")
			}
			if got := kinds(changes(t, m, repo, tip.OID, now)); len(got) != 1 || got[0] != "+b.md" {
				t.Errorf("made anew: %v", got)
			}
		})
	}
}

// victimEnv has the test binary fetch one mirror over and over until it is killed: the folder
// of the mirrors, and the key.
const victimEnv = "CORTEX_TEST_MIRROR_VICTIM"

func TestVictim(t *testing.T) {
	dir, repo, ok := strings.Cut(os.Getenv(victimEnv), "|")
	if !ok {
		t.Skip("runs only inside of TestKill")
	}
	m, err := Open(t.Context(), dir, Options{Environ: forgetest.Environ(t.TempDir()), Protocols: []string{"file"}})
	if err != nil {
		t.Fatal(err)
	}
	tip := fetch(t, m, repo)
	read(t, m, repo, changes(t, m, repo, "", tip.OID))
	if err := m.MoveLast(t.Context(), repo, tip.OID); err != nil {
		t.Fatal(err)
	}
}

// TestKill: whenever a process is killed that fetches, the next fetch has the whole state.
func TestKill(t *testing.T) {
	u, m := newUpstream(t), open(t, Options{})
	repo := add(t, m, u.url)
	rounds := testrun.Rounds(5, 60)
	for round := range rounds {
		files := map[string]string{}
		for i := range 200 {
			files[fmt.Sprintf("%s/%03d.md", Folder, i)] = fmt.Sprintf("text %d of round %d", i, round)
		}
		oid := u.push(t, files)
		cmd := exec.Command(os.Args[0], "-test.run", "^TestVictim$")
		cmd.Env = append(os.Environ(), victimEnv+"="+m.dir+"|"+repo)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+round*400/rounds) * time.Millisecond)
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		if tip := fetch(t, m, repo); tip.OID != oid {
			t.Fatalf("round %d: %v, want %s", round, tip, oid)
		}
		if diff := cmp.Diff(files, read(t, m, repo, changes(t, m, repo, "", oid))); diff != "" {
			t.Fatalf("round %d:\n%s", round, diff)
		}
		if last, err := m.ref(t.Context(), repo, lastRef); err != nil {
			t.Fatalf("round %d: the last commit is %q, %v", round, last, err)
		}
	}
}
