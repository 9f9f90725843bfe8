package gitops

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/google/go-cmp/cmp"
)

// formats runs a test in a repository of each kind of object id: what is written in
// either must be what the git binary writes and reads.
func formats(t *testing.T, test func(t *testing.T, r *Repo)) {
	for _, format := range []string{"sha1", "sha256"} {
		t.Run(format, func(t *testing.T) {
			test(t, openRepo(t, initRepo(t, "--object-format="+format)))
		})
	}
}

// gitInput runs git with a standard input and returns what it prints, as it is.
func gitInput(t *testing.T, r *Repo, input string, args ...string) string {
	t.Helper()
	out, err := r.git.Run(t.Context(), gitcmd.Command{Args: args, Stdin: strings.NewReader(input)})
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

func TestTreeAsGit(t *testing.T) {
	formats(t, func(t *testing.T, r *Repo) {
		rnd := rand.New(rand.NewPCG(3, 4))
		blob := ObjectID(strings.TrimSpace(gitInput(t, r, "text\n", "hash-object", "-w", "--stdin")))
		folder := ObjectID(strings.TrimSpace(gitInput(t, r, "", "mktree")))
		names := []string{"a", "a.md", "a-b", "a0", "ab", "é", "a b", "Z", "%2F", "\xff", "\t", "0"}
		for range 30 {
			rnd.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			entries, lines := []gitobject.Entry(nil), ""
			for _, name := range names[:rnd.IntN(len(names)+1)] {
				e := gitobject.Entry{Mode: gitobject.Dir, Name: name, ID: folder}
				kind := "tree"
				if i := rnd.IntN(4); i > 0 {
					e.Mode, e.ID, kind = []gitobject.Mode{gitobject.Regular, gitobject.Executable, gitobject.Symlink}[i-1], blob, "blob"
				}
				entries = append(entries, e)
				lines += fmt.Sprintf("%06o %s %s\t%s\x00", uint32(e.Mode), kind, e.ID, name)
			}
			want := strings.TrimSpace(gitInput(t, r, lines, "mktree", "-z"))
			data, err := r.objects.format.FormatTree(entries)
			if err != nil {
				t.Fatal(err)
			}
			if got := r.objects.format.ID("tree", data); string(got) != want {
				t.Fatalf("%q became %s, with git %s", lines, got, want)
			}
			got, err := r.objects.format.ParseTree(data)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(entries, got); diff != "" && len(got)+len(entries) > 0 {
				t.Errorf("%q is read otherwise (-written +read):\n%s", lines, diff)
			}
		}
		for _, name := range []string{"", "a/b", "a\x00"} {
			if _, err := r.objects.format.FormatTree([]gitobject.Entry{{Mode: gitobject.Regular, Name: name, ID: blob}}); err == nil {
				t.Errorf("the name %q was written", name)
			}
		}
	})
}

// TestTreeModes: modes that git has not written for long are read as git does.
func TestTreeModes(t *testing.T) {
	formats(t, func(t *testing.T, r *Repo) {
		blob := strings.TrimSpace(gitInput(t, r, "text\n", "hash-object", "-w", "--stdin"))
		raw := ""
		for i := 0; i < len(blob); i += 2 {
			raw += string([]byte{hexByte(blob[i : i+2])})
		}
		for _, mode := range []string{"100644", "100664", "100755", "100600", "100711", "120000", "160000", "40000", "040000"} {
			data := mode + " a\x00" + raw
			id := strings.TrimSpace(gitInput(t, r, data, "hash-object", "-w", "-t", "tree", "--literally", "--stdin"))
			want, _, _ := strings.Cut(gitInput(t, r, "", "ls-tree", id), " ")
			got, err := r.objects.format.ParseTree([]byte(data))
			if err != nil || len(got) != 1 || fmt.Sprintf("%06o", uint32(got[0].Mode)) != want {
				t.Errorf("%s is read as %v, with git %s: %v", mode, got, want, err)
			}
		}
	})
}

func TestCommitAsGit(t *testing.T) {
	formats(t, func(t *testing.T, r *Repo) {
		tree := ObjectID(strings.TrimSpace(gitInput(t, r, "", "mktree")))
		other := ObjectID(runGit(t, r.Root, "commit-tree", "-m", "other", string(tree)))
		for i, c := range []gitobject.Commit{
			{Message: "first\n"},
			{Message: "capture: two\n\nCortex-Session: x\nCortex-Branch: main\n", Parent: ObjectID(r.Head)},
			{Message: "merge\n", Parent: ObjectID(r.Head), Merged: other},
			{Message: "été\n\n\n  four \n"},
		} {
			c.Tree, c.Ident, c.When = tree, "A Name <a@example.invalid>", time.Unix(1_800_000_000+int64(i), 0).UTC()
			args := []string{"commit-tree", string(tree), "-F", filepath.Join(t.TempDir(), "message")}
			writeFile(t, args[3], c.Message)
			for _, id := range []ObjectID{c.Parent, c.Merged} {
				if id != "" {
					args = append(args, "-p", string(id))
				}
			}
			when := fmt.Sprintf("%d +0000", c.When.Unix())
			out, err := tryGit(r.Root, []string{
				"GIT_AUTHOR_NAME=A Name", "GIT_AUTHOR_EMAIL=a@example.invalid", "GIT_AUTHOR_DATE=" + when,
				"GIT_COMMITTER_NAME=A Name", "GIT_COMMITTER_EMAIL=a@example.invalid", "GIT_COMMITTER_DATE=" + when,
			}, args...)
			if err != nil {
				t.Fatal(err, out)
			}
			data := gitobject.FormatCommit(c)
			if got, want := string(r.objects.format.ID("commit", data)), strings.TrimSpace(out); got != want {
				t.Errorf("%q became %s, with git %s", c.Message, got, want)
			}
			got, err := gitobject.ParseCommit(data)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c, got); diff != "" {
				t.Errorf("%q is read otherwise (-written +read):\n%s", c.Message, diff)
			}
		}
		if _, err := gitobject.ParseCommit([]byte("author x <x> 1 +0000\n\nno tree\n")); err == nil {
			t.Error("a commit without a tree was read")
		}
	})
}

// TestLooseAsGit: each reads the files that the other writes.
func TestLooseAsGit(t *testing.T) {
	formats(t, func(t *testing.T, r *Repo) {
		block := gitobject.StoredMost - len("blob 4000\x00") - 2 - 5 - 4
		for _, text := range []string{"", "text\n", strings.Repeat("x", block), strings.Repeat("x", block+1), strings.Repeat("a long text\n", 10_000)} {
			o := object{"blob", []byte(text)}
			id := r.objects.format.ID(o.kind, o.data)
			if err := r.objects.writeLoose(t.Context(), map[ObjectID]object{id: o}); err != nil {
				t.Fatal(err)
			}
			if got := gitInput(t, r, "", "cat-file", "blob", string(id)); got != text {
				t.Errorf("git reads %.40q", got)
			}
			if file := readFile(t, r.objects.loosePath(id)); len(file) > gitobject.StoredMost || strings.Contains(file, text) != (len(text) <= block) {
				t.Errorf("%d bytes make a file of %d", len(text), len(file))
			}
			if err := os.Remove(r.objects.loosePath(id)); err != nil {
				t.Fatal(err)
			}
			gitInput(t, r, text, "hash-object", "-w", "--stdin")
			if got, err := r.objects.readLoose(id, maxObject); err != nil || got.kind != "blob" || string(got.data) != text {
				t.Errorf("%s %.40q is read of what git wrote: %v", got.kind, got.data, err)
			}
		}
		fsck(t, r.Root)
	})
}
