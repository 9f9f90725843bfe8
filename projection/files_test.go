package projection_test

import (
	"bytes"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
	. "github.com/git-cortex/cortex/projection"
)

// shelf holds the files of a repository, by the first digits of their object ids.
type shelf map[string]File

const digits = 12

// files puts memories on the shelf as files.
func (s shelf) files(list []*memory.Memory) []File {
	out := make([]File, len(list))
	for i, m := range list {
		out[i] = File{Memory: m, Blob: blobOf(memory.Format(m))}
		s[out[i].Blob[:digits]] = out[i]
	}
	return out
}

func blobOf(data []byte) string {
	sum := sha1.Sum(append(fmt.Appendf(nil, "blob %d\x00", len(data)), data...))
	return hex.EncodeToString(sum[:])
}

func (s shelf) render(kind Kind, list []*memory.Memory) []byte {
	return mustRender(kind, "", s.files(list))
}

func (s shelf) store() *Store {
	return &Store{
		Files: func(names []string) (map[string]File, error) {
			out := map[string]File{}
			for _, n := range names {
				if f, ok := s[n]; ok {
					out[n] = f
				}
			}
			return out, nil
		},
		Blob: func(data []byte) string {
			m, err := memory.Parse("merged.md", data)
			if err != nil {
				panic(err)
			}
			return s.files([]*memory.Memory{m})[0].Blob
		},
	}
}

func mustRender(kind Kind, template string, files []File) []byte {
	page, err := Render(kind, template, files)
	if err != nil {
		panic(err)
	}
	return page
}

// render renders memories as files that no test reads again.
func render(kind Kind, list []*memory.Memory) []byte { return shelf{}.render(kind, list) }

func renderBy(kind Kind, template string, list []*memory.Memory) ([]byte, error) {
	return Render(kind, template, shelf{}.files(list))
}

// machine is the part of a page that is not for people.
func machine(page []byte) []byte { return page[bytes.LastIndex(page, []byte("<!-- cortex:records")):] }

// TestCompact: what a page was rendered from takes at most a fifth of it, also where
// most of a thousand decisions are not shown.
func TestCompact(t *testing.T) {
	var list []*memory.Memory
	for i := range 1000 {
		m := memory.New(memory.Decision, fmt.Sprintf("Gauge %d is read by the pier's own clock", i),
			"The modem link costs by the call, and a reading that comes late is of no use to the harbour office.\n\nOne file per gauge and day is easy to copy, and retention is to delete a file.\n", decision(i/7, "x").Created)
		m.Source = memory.Source{Agent: "claude-code", Session: fmt.Sprint(i / 7), Layer: "answer", Branch: "feature/gauges", Commit: "3fa9c1e02b77"}
		m.Files = []string{"gauges/read.go", "gauges/clock.go"}
		list = append(list, m)
	}
	for _, kind := range []Kind{Decisions, Archive} {
		page := render(kind, list)
		if n := len(machine(page)); n*5 > len(page) {
			t.Errorf("%s: %d of %d bytes are not for people", kind, n, len(page))
		}
	}
	for _, kind := range Kinds() {
		page := string(machine(render(kind, story())))
		if strings.Contains(page, "{") || strings.Count(page, "<!--") != 2 {
			t.Errorf("%s: what is not for people is not one block:\n%s", kind, page)
		}
	}
}

// TestRenderHeads: a page from memories without their texts is, to the byte, the page from
// whole ones, and few texts are asked for.
func TestRenderHeads(t *testing.T) {
	for seed := range uint64(20) {
		w := newWorld(seed)
		s := w.change(w.change(w.change(set{})))
		for range 90 {
			m := w.memory(s)
			s[m.ID] = m
		}
		var heads []File
		for _, f := range (shelf{}).files(s.list()) {
			head := *f.Memory
			head.Text = ""
			heads = append(heads, File{Memory: &head, Blob: f.Blob})
		}
		for _, kind := range Kinds() {
			texts := 0
			page, ok := RenderHeads(kind, heads, func(id memory.ID) string { texts++; return s[id].Text })
			if ok != (kind != Plan) || ok && !bytes.Equal(page, render(kind, s.list())) {
				t.Fatalf("seed %d, %s: %v\n%s", seed, kind, ok, page)
			}
			if kind == Archive && texts > 0 {
				t.Errorf("seed %d: %d texts for the archive", seed, texts)
			}
		}
		if _, ok := RenderHeads(Archive, append(heads, heads...), nil); ok {
			t.Errorf("seed %d: two memories have the same id, and the page is rendered from heads", seed)
		}
	}
}

// TestMergeDamagedFiles: damage of a page that names files is seen, and a merge that cannot
// be sure of its result refuses.
func TestMergeDamagedFiles(t *testing.T) {
	s := shelf{}
	var list []*memory.Memory
	for day := range 30 {
		list = append(list, decision(day, fmt.Sprintf("Decision %d", day)))
	}
	base, ours, theirs := s.render(Decisions, list[:20]), string(s.render(Decisions, list[:25])), string(s.render(Decisions, append(list[:20:20], list[25:]...)))
	want := string(s.render(Decisions, list))
	start := strings.Index(ours, "<!-- cortex:records")
	lines := strings.Split(ours[start:], "\n")
	for name, tt := range map[string]struct{ ours, want string }{
		"plain":               {ours, want},
		"union":               {ours + theirs, want},
		"conflict markers":    {"<<<<<<< HEAD\n" + ours + "=======\n" + theirs + ">>>>>>> theirs\n", want},
		"line ends":           {"\ufeff" + strings.ReplaceAll(ours, "\n", "\r\n"), want},
		"text edited":         {strings.Replace(ours, "Decision 3", "Decision three", 1), want},
		"no header":           {ours[strings.Index(ours, "\n"):], want},
		"empty":               {"", theirs},
		"cut before its end":  {strings.Join(strings.Split(ours, "\n")[:strings.Count(ours, "\n")-1], "\n"), want},
		"a name is cut":       {strings.Replace(ours, lines[1], lines[1][:len(lines[1])-2], 1), ""},
		"a name is another":   {strings.Replace(ours, lines[1], lines[1][:1]+"0000000"+lines[1][8:], 1), ""},
		"a name is no base64": {strings.Replace(ours, lines[1], lines[1][:1]+"!!!!!!!"+lines[1][8:], 1), ""},
		"prose in the block":  {strings.Replace(ours, lines[1], "These are words.", 1), ""},
		"newer":               {strings.Replace(ours, "decisions 2 -->", "decisions 3 -->", 1), ""},
	} {
		got, err := Merge(Decisions, base, []byte(tt.ours), []byte(theirs), s.store())
		if tt.want == "" && err == nil {
			t.Errorf("%s: it is merged", name)
		}
		if tt.want != "" && (err != nil || string(got) != tt.want) {
			t.Errorf("%s: %v (-want +got)\n%s", name, err, cmp.Diff(tt.want, string(got)))
		}
		if known := IsRendering(Decisions, []byte(tt.ours)); known != (name == "plain") {
			t.Errorf("%s: counts as a rendering: %v", name, known)
		}
	}
	if _, err := Merge(Decisions, base, []byte(ours), []byte(theirs), nil); err == nil {
		t.Error("a page is merged without the files that it names")
	}
}

// What a union merge in a clone without cortex leaves is repaired by the next
// merge or render: both edits are kept.
func TestUnionOfTwoEdits(t *testing.T) {
	s := shelf{}
	m := decision(1, "Store readings in UTC")
	edit := func(text string) string {
		e := *m
		e.Text = text
		return string(s.render(Decisions, []*memory.Memory{&e}))
	}
	base := edit(m.Text)
	got, err := Merge(Decisions, []byte(base), []byte(edit("Ours.")+base+edit("Theirs.")), []byte(base), s.store())
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"> Ours.", "> Theirs.", "## Contested"} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in:\n%s", want, got)
		}
	}
}

// TestManyVersions: a page with a few versions of one memory is merged, as union merges
// leave them, and one with very many is left to git.
func TestManyVersions(t *testing.T) {
	for n, sound := range map[int]bool{32: true, 33: false, 2000: false} {
		s, page := shelf{}, ""
		m := decision(1, "Store readings in UTC")
		for i := range n {
			e := *m
			e.Text = fmt.Sprintf("Version %d.", i)
			page += string(s.render(Decisions, []*memory.Memory{&e}))
		}
		if _, err := Merge(Decisions, nil, []byte(page), []byte(page), s.store()); sound != (err == nil) {
			t.Errorf("%d versions: %v", n, err)
		}
	}
}

// TestMergeOfTypes: a memory that one side took from the types of the page, and the other edited, stays as edited.
func TestMergeOfTypes(t *testing.T) {
	s := shelf{}
	old, m := decision(0, "Keep one file for each day"), decision(1, "Store readings in UTC")
	m.Links = []memory.Link{{Rel: memory.Supersedes, To: old.ID}}
	other, edited := *m, *m
	other.Type, edited.Text = memory.Architecture, "Two zones met here."
	page := func(m memory.Memory) []byte { return s.render(Decisions, []*memory.Memory{old, &m}) }
	for _, sides := range [][2]memory.Memory{{other, edited}, {edited, other}} {
		got, err := Merge(Decisions, page(*m), page(sides[0]), page(sides[1]), s.store())
		if err != nil || !bytes.Equal(got, page(edited)) {
			t.Errorf("%v\n%s", err, got)
		}
	}
}
