package memory_test

import (
	"encoding/json"
	"errors"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

var update = flag.Bool("update", false, "write what the vectors in testdata want")

const vectorsDir = "testdata/vectors"

// vector is a memory as the vectors spell it: the keys of the file format, and
// the body as text.
type vector struct {
	ID         memory.ID     `json:"id"`
	Type       memory.Type   `json:"type"`
	Title      string        `json:"title"`
	Created    time.Time     `json:"created"`
	Updated    *time.Time    `json:"updated,omitempty"`
	Confidence float64       `json:"confidence"`
	Priority   int           `json:"priority"`
	Tags       []string      `json:"tags,omitempty"`
	Files      []string      `json:"files,omitempty"`
	Entities   []string      `json:"entities,omitempty"`
	Links      []vectorLink  `json:"links,omitempty"`
	Anchors    []vectorBlob  `json:"anchors,omitempty"`
	Triggers   []string      `json:"triggers,omitempty"`
	Seen       []string      `json:"seen,omitempty"`
	Scope      string        `json:"scope,omitempty"`
	Hold       string        `json:"hold,omitempty"`
	Source     *vectorSource `json:"source,omitempty"`
	Pinned     bool          `json:"pinned,omitempty"`
	Contested  bool          `json:"contested,omitempty"`
	Unknown    string        `json:"unknown,omitempty"`
	Text       string        `json:"text"`
}

type vectorLink struct {
	Rel memory.Rel `json:"rel"`
	To  memory.ID  `json:"to"`
}

type vectorBlob struct {
	Path string `json:"path"`
	Blob string `json:"blob"`
}

type vectorSource struct {
	Agent   string `json:"agent,omitempty"`
	Model   string `json:"model,omitempty"`
	Session string `json:"session,omitempty"`
	Layer   string `json:"layer,omitempty"`
	Branch  string `json:"branch,omitempty"`
	Commit  string `json:"commit,omitempty"`
	Record  int    `json:"record,omitempty"`
	Ref     string `json:"ref,omitempty"`
	Origin  string `json:"origin,omitempty"`
}

func newVector(m *memory.Memory) vector {
	v := vector{
		ID: m.ID, Type: m.Type, Title: m.Title, Created: m.Created, Confidence: m.Confidence, Priority: m.Priority,
		Tags: m.Tags, Files: m.Files, Entities: m.Entities, Triggers: m.Triggers, Seen: m.Seen, Scope: m.Scope, Hold: m.Hold, Pinned: m.Pinned, Contested: m.Contested,
		Unknown: m.Unknown, Text: m.Text,
	}
	if !m.Updated.IsZero() {
		v.Updated = &m.Updated
	}
	for _, l := range m.Links {
		v.Links = append(v.Links, vectorLink(l))
	}
	for _, a := range m.Anchors {
		v.Anchors = append(v.Anchors, vectorBlob(a))
	}
	if m.Source != (memory.Source{}) {
		s := vectorSource(m.Source)
		v.Source = &s
	}
	return v
}

func (v vector) memory() *memory.Memory {
	m := &memory.Memory{
		ID: v.ID, Type: v.Type, Title: v.Title, Created: v.Created, Confidence: v.Confidence, Priority: v.Priority,
		Tags: v.Tags, Files: v.Files, Entities: v.Entities, Triggers: v.Triggers, Seen: v.Seen, Scope: v.Scope, Hold: v.Hold, Pinned: v.Pinned, Contested: v.Contested,
		Unknown: v.Unknown, Text: v.Text,
	}
	if v.Updated != nil {
		m.Updated = *v.Updated
	}
	for _, l := range v.Links {
		m.Links = append(m.Links, memory.Link(l))
	}
	for _, a := range v.Anchors {
		m.Anchors = append(m.Anchors, memory.Anchor(a))
	}
	if v.Source != nil {
		m.Source = memory.Source(*v.Source)
	}
	return m
}

// TestVectors reads every vector that has an input.md, and writes every one
// that has an input.json; see testdata/vectors/README.md.
func TestVectors(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(vectorsDir, "M*"))
	if err != nil || len(dirs) == 0 {
		t.Fatal("no vectors", err)
	}
	for _, dir := range dirs {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			data, err := os.ReadFile(filepath.Join(dir, "input.md"))
			if errors.Is(err, fs.ErrNotExist) {
				writeVector(t, dir)
				return
			}
			m, err := memory.Parse("input.md", data)
			if err != nil {
				checkFile(t, filepath.Join(dir, "want.err"), []byte(err.Error()+"\n"))
				checkAbsent(t, dir, "want.json", "canonical.md")
				return
			}
			checkAbsent(t, dir, "want.err")
			want, err := json.MarshalIndent(newVector(m), "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			checkFile(t, filepath.Join(dir, "want.json"), append(want, '\n'))
			checkFile(t, filepath.Join(dir, "canonical.md"), memory.Format(m))
			roundTrip(t, m)
		})
	}
}

// writeVector checks what is written for a memory that no file could hold.
func writeVector(t *testing.T, dir string) {
	data, err := os.ReadFile(filepath.Join(dir, "input.json"))
	if err != nil {
		t.Fatal(err)
	}
	var v vector
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatal(err)
	}
	checkFile(t, filepath.Join(dir, "canonical.md"), memory.Format(v.memory()))
	if err := v.memory().Validate(); err != nil {
		t.Error(err)
	}
}

func checkFile(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got):\n%s", name, diff)
	}
}

func checkAbsent(t *testing.T, dir string, names ...string) {
	t.Helper()
	for _, name := range names {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			t.Errorf("%s says otherwise", name)
		}
	}
}

// TestEveryRuleHasAVector holds FORMAT.md and the vectors against each other.
func TestEveryRuleHasAVector(t *testing.T) {
	format, err := os.ReadFile("../FORMAT.md")
	if err != nil {
		t.Fatal(err)
	}
	index, err := os.ReadFile(filepath.Join(vectorsDir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var rules, have []string
	for _, m := range regexp.MustCompile(`(?m)^- \*\*([A-Z]\d+)\*\*`).FindAllStringSubmatch(string(format), -1) {
		rules = append(rules, m[1])
	}
	dirs, _ := filepath.Glob(filepath.Join(vectorsDir, "*-*"))
	for _, dir := range dirs {
		name := filepath.Base(dir)
		rule, _, _ := strings.Cut(name, "-")
		have = append(have, rule)
		if !strings.Contains(string(index), "`"+name+"`") {
			t.Errorf("README.md does not name %s", name)
		}
	}
	for _, rule := range rules {
		if !slices.Contains(have, rule) {
			t.Errorf("%s of FORMAT.md has no vector", rule)
		}
	}
	for _, rule := range have {
		if !slices.Contains(rules, rule) {
			t.Errorf("there is a vector for %s, which FORMAT.md does not know", rule)
		}
	}
}

// The ids in the vectors of rule M20 are those that NewID derives.
func TestIDVectors(t *testing.T) {
	dirs, _ := filepath.Glob(filepath.Join(vectorsDir, "M20-*"))
	for _, dir := range dirs {
		data, err := os.ReadFile(filepath.Join(dir, "input.md"))
		if err != nil {
			t.Fatal(err)
		}
		m, err := memory.Parse(dir, data)
		if err != nil {
			continue // what an id cannot be
		}
		if want := memory.NewID(m.Type, m.Title, m.Text); m.ID != want {
			t.Errorf("%s: id %s, derived %s", dir, m.ID, want)
		}
	}
}
