package gitops

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops/internal/gitobject"
)

var updateVectors = flag.Bool("update", false, "write what the vectors of the rules J want")

const vectors = "../memory/testdata/vectors"

// vectorFile reads a file of a vector, or writes it.
func vectorFile(t *testing.T, name string, write func() []byte) string {
	t.Helper()
	name = filepath.Join(vectors, name)
	if *updateVectors && write != nil {
		if err := os.WriteFile(name, write(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestPathVectors: what is a path of the journal (J1), and how a branch is written in it (J2).
func TestPathVectors(t *testing.T) {
	for line := range strings.Lines(vectorFile(t, "J1-paths/paths.tsv", nil)) {
		verdict, path, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if got := validPath(path); got != (verdict == "yes") {
			t.Errorf("%s is valid: %v", path, got)
		}
	}
	for line := range strings.Lines(vectorFile(t, "J2-branches/branches.tsv", nil)) {
		component, quoted, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		branch, ok := DecodeBranch(component)
		want, err := strconv.Unquote(quoted)
		if ok != (err == nil) || ok && (branch != want || EncodeBranch(want) != component) {
			t.Errorf("%s is %q, %v; want %s", component, branch, ok, quoted)
		}
	}
}

// TestCommitVector: how a commit of the journal is written (J3).
func TestCommitVector(t *testing.T) {
	dir := initRepo(t)
	out := capture(t, openRepo(t, dir), change("one-0000001", "first\n"))
	got := runGit(t, dir, "cat-file", "commit", string(out.Commit)) + "\n"
	want := vectorFile(t, "J3-commit/commit", func() []byte { return []byte(got) })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestSpoolVector: which changes a spool holds (J5).
func TestSpoolVector(t *testing.T) {
	dir := t.TempDir()
	s := spool{filepath.Join(dir, "spool")}
	text := vectorFile(t, "J5-spool/spool", func() []byte {
		for _, name := range []string{"one-0000001", "two-0000002"} {
			if err := s.append(context.Background(), change(name, name+"\n")); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(s.path)
		if err != nil {
			t.Fatal(err)
		}
		first, rest, _ := strings.Cut(string(data), "\n")
		return []byte(first + "\n" + strings.Replace(first, "capture", "torn", 1) + "\nno change\n" + rest)
	})
	if err := os.WriteFile(s.path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	got, _, err := s.read()
	if err != nil {
		t.Fatal(err)
	}
	var want []spoolText
	if err := json.Unmarshal([]byte(vectorFile(t, "J5-spool/want.json", nil)), &want); err != nil {
		t.Fatal(err)
	}
	var read []spoolText
	for _, c := range got {
		put := map[string]string{}
		for path, data := range c.Put {
			put[path] = string(data)
		}
		read = append(read, spoolText{c.Message, c.Trailers, put})
	}
	if diff := cmp.Diff(want, read); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// spoolText is a change with its files as text.
type spoolText struct {
	Message  string
	Trailers []Trailer
	Put      map[string]string
}

// TestSafeVector: which objects a safe holds (J6).
func TestSafeVector(t *testing.T) {
	var f gitobject.Format // sha1
	s := safe{filepath.Join(t.TempDir(), "safe")}
	text := vectorFile(t, "J6-safe/safe", func() []byte {
		for _, data := range []string{"first\n", "second\n", "third\n"} {
			all := map[ObjectID]object{f.ID("blob", []byte(data)): {"blob", []byte(data)}}
			if _, err := s.put(f.ID("blob", []byte(data)), all, false); err != nil {
				t.Fatal(err)
			}
		}
		data, err := os.ReadFile(s.path)
		if err != nil {
			t.Fatal(err)
		}
		return []byte(strings.Replace(string(data), "second", "sexond", 1))
	})
	if err := os.WriteFile(s.path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	all, _ := s.read(f)
	var got []string
	for _, o := range all {
		got = append(got, fmt.Sprintf("%s %d", o.kind, len(o.data)))
	}
	slices.Sort(got)
	var want []string
	if err := json.Unmarshal([]byte(vectorFile(t, "J6-safe/want.json", nil)), &want); err != nil {
		t.Fatal(err)
	}
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
