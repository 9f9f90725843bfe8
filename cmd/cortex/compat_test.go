package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// compatV1 names a repository as the first release writes it. It is never edited: that a
// later version reads it is what people rely on. What a later format needs goes into a
// folder of its own.
//
//	tree/     the working tree of main: memories, pages, settings, code
//	journal/  the tree of refs/cortex/journal
//	git/      what lies in .git/cortex and is no cache
//	want.json what was read from it, see [compatWant]
const (
	compatV1       = "testdata/compat/v1"
	compatV1Digest = "16b27dd0ee93d7b38c91d55310e6847cbab4330f6bd7801e50309bdbaf4f510c"
)

// compatWant lists what must be found in answers, keys and values; they may hold more.
type compatWant struct {
	Memories  map[string]map[string]any `json:"memories"`  // by id, as list shows them
	Sessions  map[string]map[string]any `json:"sessions"`  // by id
	Topics    []string                  `json:"topics"`    // names
	Dismissed []string                  `json:"dismissed"` // ids
}

// TestCompatFrozen: nobody changed the repository of the first release.
func TestCompatFrozen(t *testing.T) {
	frozen, err := imageOf(filepath.FromSlash(compatV1))
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(frozen)) {
		if !frozen[name].mode.IsDir() {
			fmt.Fprintf(sum, "%s %x\n", filepath.ToSlash(name), sha256.Sum256(frozen[name].data))
		}
	}
	if got := fmt.Sprintf("%x", sum.Sum(nil)); got != compatV1Digest {
		t.Errorf("%s is %s, and was %s: it is frozen, make a folder for another format", compatV1, got, compatV1Digest)
	}
}

// TestCompatV1: what the first release wrote is read as it read it, what waits lands,
// and files that nobody changed keep their bytes.
func TestCompatV1(t *testing.T) {
	p := newCompat(t)
	var want compatWant
	data, err := os.ReadFile(filepath.Join(filepath.FromSlash(compatV1), "want.json"))
	if err == nil {
		err = json.Unmarshal(data, &want)
	}
	if err != nil {
		t.Fatal(err)
	}
	p.holds("the memories", want.Memories, byID(p.json("list", "--all-branches"), "memories"))
	p.holds("the sessions", want.Sessions, byID(p.json("sessions"), "sessions"))
	for _, id := range want.Dismissed {
		if byID(p.json("restore"), "dismissed")[id] == nil {
			t.Errorf("%s is not dismissed", id)
		}
	}
	topics := p.cortex("topics", "--json")
	for _, name := range want.Topics {
		if !strings.Contains(topics, name) {
			t.Errorf("no topic %q in %s", name, topics)
		}
	}
	for query, id := range map[string]string{"readings UTC": "pdexb5y", "type:rejected sqlite": "kav97cr", "dates written in full": "ejqzwt1", "smtp timeout": "15t6dbn"} {
		if got := p.cortex("search", "--all-branches", "-n", "3", query); !strings.Contains(got, id) {
			t.Errorf("a search for %s does not find %s:\n%s", query, id, got)
		}
	}
	if brief := p.cortex("brief"); !strings.Contains(brief, "Readings are stored in UTC") {
		t.Errorf("the briefing is %s", brief)
	}

	before, err := imageOf(filepath.Join(p.dir, ".cortex", "memories"))
	if err != nil {
		t.Fatal(err)
	}
	p.cortex("remember", "-q", "--pending", "--type", "decision", "Curves are drawn at night. The board is idle then.")
	p.cortex("land", "-q", "--all")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "what waited has landed")
	p.git("fsck", "--strict", "--no-dangling", "--no-progress")
	after, err := imageOf(filepath.Join(p.dir, ".cortex", "memories"))
	if err != nil {
		t.Fatal(err)
	}
	for name, was := range before {
		if diff := cmp.Diff(string(was.data), string(after[name].data)); diff != "" {
			t.Errorf("%s was rewritten (-was +is):\n%s", name, diff)
		}
	}
	for id := range want.Memories {
		want.Memories[id] = map[string]any{"id": id, "title": want.Memories[id]["title"]}
	}
	p.holds("the memories after a landing", want.Memories, byID(p.json("list", "--all-branches"), "memories"))
	p.cortex("project", "-q")
	p.cortex("project", "--check", "-q")
}

// compat is the frozen repository, brought to life.
type compat struct {
	t   *testing.T
	dir string
	env []string
}

func newCompat(t *testing.T) *compat {
	t.Helper()
	p := &compat{t: t, dir: filepath.Join(t.TempDir(), "p"), env: []string{"PATH=" + os.Getenv("PATH")}}
	for key, value := range hermeticGit(filepath.Join(t.TempDir(), "home")) {
		p.env = append(p.env, key+"="+value)
	}
	folder := func(name string) image {
		t.Helper()
		found, err := imageOf(filepath.Join(filepath.FromSlash(compatV1), name))
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if err := folder("tree").write(p.dir); err != nil {
		t.Fatal(err)
	}
	p.git("init", "-q", "-b", "main")
	p.git("config", "core.autocrlf", "false")
	p.git("config", "cortex.clone", "def9676a7afbb930")
	p.git("config", "cortex.enabled", "true")
	p.git("add", "-A")
	p.git("commit", "-q", "-m", "as the first release left it")
	p.git("branch", "feature/alerts")
	if err := folder("git").write(filepath.Join(p.dir, ".git", "cortex")); err != nil {
		t.Fatal(err)
	}
	var index bytes.Buffer
	for name, f := range folder("journal") {
		if !f.mode.IsDir() {
			blob := p.run(bytes.NewReader(f.data), "git", "hash-object", "-w", "--stdin")
			fmt.Fprintf(&index, "100644 %s\t%s\n", strings.TrimSpace(blob), filepath.ToSlash(name))
		}
	}
	p.env = append(p.env, "GIT_INDEX_FILE="+filepath.Join(t.TempDir(), "index"))
	p.run(&index, "git", "update-index", "--add", "--index-info")
	tree := strings.TrimSpace(p.git("write-tree"))
	p.env = p.env[:len(p.env)-1]
	p.git("update-ref", "--create-reflog", "refs/cortex/journal", strings.TrimSpace(p.git("commit-tree", "-m", "capture: all of it", tree)))
	return p
}

// git runs git, which must do well.
func (p *compat) git(args ...string) string {
	p.t.Helper()
	return p.run(nil, "git", args...)
}

func (p *compat) run(in interface{ Read([]byte) (int, error) }, name string, args ...string) string {
	p.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = p.dir, p.env
	if in != nil {
		cmd.Stdin = in
	}
	out, err := cmd.Output()
	if err != nil {
		p.t.Fatalf("%s %q: %v", name, args, err)
	}
	return string(out)
}

// cortex runs the program on the day after the repository was left.
func (p *compat) cortex(args ...string) string {
	p.t.Helper()
	var out, stderr bytes.Buffer
	s := &streams{
		in: strings.NewReader(""), out: &out, err: &stderr, environ: p.env, dir: p.dir, exe: "cortex", width: 80,
		getenv: func(key string) string { return lookup(p.env, key) },
		now:    func() time.Time { return time.Date(2026, 11, 23, 9, 0, 0, 0, time.UTC) },
	}
	if code := run(p.t.Context(), s, args); code != exitOK {
		p.t.Fatalf("cortex %q: exit code %d: %s%s", args, code, out.String(), stderr.String())
	}
	return out.String()
}

func (p *compat) json(args ...string) (out map[string]any) {
	p.t.Helper()
	if err := json.Unmarshal([]byte(p.cortex(append(args, "--json")...)), &out); err != nil {
		p.t.Fatalf("%q: %v", args, err)
	}
	return out
}

// byID is a list of an answer, by the ids of its members.
func byID(answer map[string]any, list string) map[string]map[string]any {
	out := map[string]map[string]any{}
	members, _ := answer[list].([]any)
	for _, m := range members {
		if m, ok := m.(map[string]any); ok {
			id, _ := m["id"].(string)
			out[id] = m
		}
	}
	return out
}

// holds checks that got has all that is wanted.
func (p *compat) holds(what string, want, got map[string]map[string]any) {
	p.t.Helper()
	for id, fields := range want {
		if got[id] == nil {
			p.t.Errorf("%s: %s is not there", what, id)
			continue
		}
		for key, value := range fields {
			if diff := cmp.Diff(value, got[id][key]); diff != "" {
				p.t.Errorf("%s: %s of %s (-want +got):\n%s", what, key, id, diff)
			}
		}
	}
}
