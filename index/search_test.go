package index

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/index/internal/scoring"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
	"github.com/google/go-cmp/cmp"
)

// shelf is a small view of memories with given titles and texts.
type shelf struct {
	index *Index
	view  View
	ids   map[string]memory.ID // by title
}

func newShelf(t *testing.T, ms ...*memory.Memory) *shelf {
	t.Helper()
	s := &shelf{index: Open(Options{Dir: filepath.Join(t.TempDir(), "cache")}), ids: map[string]memory.ID{}}
	t.Cleanup(func() { _ = s.index.Close() })
	for _, m := range ms {
		s.put(t, m, Landed)
	}
	return s
}

func (s *shelf) put(t *testing.T, m *memory.Memory, stage Stage) {
	t.Helper()
	data := memory.Format(m)
	blob := BlobID(data, false)
	if p := s.index.Catalog().Add(blob, m.Path(), data); p != nil {
		t.Fatal(p)
	}
	s.ids[m.Title] = m.ID
	s.view.Items = append(s.view.Items, Item{Blob: blob, Path: m.Path(), Stage: stage, Status: memory.StatusActive})
}

func (s *shelf) titles(t *testing.T, query string) []string {
	t.Helper()
	var out []string
	for _, h := range find(t, s.index, s.view, query, 50).Hits {
		out = append(out, h.Memory.Title)
	}
	return out
}

func memo(typ memory.Type, title, text string, edit ...func(*memory.Memory)) *memory.Memory {
	m := memory.New(typ, title, text, testNow.Add(-48*time.Hour))
	for _, e := range edit {
		e(m)
	}
	return m
}

func TestSearchFindsWhatPeopleType(t *testing.T) {
	s := newShelf(t,
		memo(memory.Decision, "Chose Bluge for the search index", "It needs no cgo, and the index can be thrown away."),
		memo(memory.Gotcha, "Hooks skip with --no-verify", "git commit --no-verify skips pre-commit, so land runs in post-commit too."),
		memo(memory.Fix, "Crash in parseFrontmatter", "parseFrontmatter in memory/parse_yaml.go:42 panicked on an unclosed fence."),
		memo(memory.Learned, "Templates in C++ are slow to compile", "The C++ part takes nine minutes."),
		memo(memory.Pattern, "Clean before a build", "We run rm -rf dist, not make clean."),
		memo(memory.Preference, "検索は日本語でも使う", "チームは日本語で検索エンジンを使います。"),
		memo(memory.Progress, "Release went out 🚀", "All platforms are done."),
		memo(memory.Context, "Café opening hours", "The naïve résumé parser lives next door."),
	)
	for query, want := range map[string]string{
		"bluge":                 "Chose Bluge for the search index",
		"searching an indices":  "Chose Bluge for the search index",
		"why did we use bluge?": "Chose Bluge for the search index",
		"--no-verify":           "Hooks skip with --no-verify",
		"no verify":             "Hooks skip with --no-verify",
		"parseFrontmatter":      "Crash in parseFrontmatter",
		"parse frontmatter":     "Crash in parseFrontmatter",
		"frontmatter crash":     "Crash in parseFrontmatter",
		"parse_yaml.go":         "Crash in parseFrontmatter",
		"parse_yaml.go:42":      "Crash in parseFrontmatter",
		"memory/parse_yaml.go":  "Crash in parseFrontmatter",
		"C++":                   "Templates in C++ are slow to compile",
		"rm -rf":                "Clean before a build",
		"検索エンジン":                "検索は日本語でも使う",
		"🚀":                     "Release went out 🚀",
		"cafe":                  "Café opening hours",
		"RESUME naive":          "Café opening hours",
		`"thrown away`:          "Chose Bluge for the search index",
		`"index can be thrown"`: "Chose Bluge for the search index",
		"type:gotcha":           "Hooks skip with --no-verify",
		"type:banana bluge":     "Chose Bluge for the search index",
	} {
		if got := s.titles(t, query); len(got) == 0 || got[0] != want {
			t.Errorf("%q found %q, want %q first", query, got, want)
		}
	}
	for _, query := range []string{"zebra", `bluge -cgo`, "type:gotcha bluge"} {
		if got := s.titles(t, query); len(got) != 0 {
			t.Errorf("%q found %q, want nothing", query, got)
		}
	}
}

func TestSearchPhrases(t *testing.T) {
	s := newShelf(t,
		memo(memory.Learned, "One", "the hot path of the cache"),
		memo(memory.Learned, "Two", "a path that is hot in the cache"),
	)
	for query, want := range map[string][]string{
		`"hot path"`:         {"One"},
		`cache -"hot path"`:  {"Two"},
		`cache -hot`:         nil,
		`"path hot"`:         {"One", "Two"}, // no memory holds it: words
		`"the cache"`:        {"One", "Two"},
		`"of the" "in the"`:  {"One", "Two"},
		`"hot path" "cache"`: {"One"},
	} {
		got := map[string]bool{}
		for _, title := range s.titles(t, query) {
			got[title] = true
		}
		expect := map[string]bool{}
		for _, title := range want {
			expect[title] = true
		}
		if diff := cmp.Diff(expect, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
	if r := find(t, s.index, s.view, `"path hot"`, 5); len(r.Hints) != 1 {
		t.Errorf("hints: %q", r.Hints)
	}
}

func TestSearchFilters(t *testing.T) {
	s := newShelf(t,
		memo(memory.Decision, "A", "note", func(m *memory.Memory) { m.Tags = []string{"Search", "two words"}; m.Pinned = true }),
		memo(memory.Fix, "B", "note", func(m *memory.Memory) { m.Files = []string{"index/search.go"}; m.Entities = []string{"bluge"} }),
		memo(memory.Fix, "C", "note", func(m *memory.Memory) {
			m.Source.Branch, m.Source.Session, m.Contested = "feature/search", "0b2c1d", true
			m.Created = testNow.AddDate(0, -2, 0)
		}),
		memo(memory.Question, "D", "note", func(m *memory.Memory) { m.Updated = testNow }),
	)
	for i := range s.view.Items {
		it := &s.view.Items[i]
		f, _ := s.index.Catalog().Facts(it.Blob)
		switch f.Type {
		case memory.Question:
			it.Stage, it.Branch, it.Open = Pending, "main", true
		case memory.Decision:
			it.Status, it.Stale = memory.StatusSuperseded, true
		}
	}
	for query, want := range map[string]string{
		"type:fix":               "BC",
		"type:fix,decision":      "ABC",
		"-type:fix":              "AD",
		"tag:search":             "A",
		`tag:"Two Words"`:        "A",
		"file:index/search.go":   "B",
		"file:search.go:42":      "B",
		"file:index":             "B",
		"file:*.go":              "B",
		"file:earch.go":          "",
		"entity:Bluge":           "B",
		"branch:feature/search":  "C",
		"branch:feature/*":       "C",
		"branch:main":            "D",
		"session:0b2c":           "C",
		"status:superseded":      "A",
		"status:contested":       "C",
		"-status:superseded":     "BCD",
		"stage:pending":          "D",
		"is:pinned":              "A",
		"is:contested":           "C",
		"is:stale":               "A",
		"is:open":                "D",
		"since:7d":               "ABD",
		"until:2026-10-01":       "C",
		"since:yesterday":        "D",
		"type:fix -is:contested": "B",
		"note type:fix since:7d": "B",
	} {
		got := map[string]bool{}
		for _, title := range s.titles(t, query) {
			got[title] = true
		}
		if diff := cmp.Diff(want, strings.Join(sortedKeys(got), "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", query, diff)
		}
	}
}

func TestSearchFoldsOneMemoryInTwoStages(t *testing.T) {
	m := memo(memory.Decision, "Same", "text of both")
	s := newShelf(t)
	s.put(t, m, Pending)
	edited := *m
	edited.Text = "text of both, edited in review"
	s.put(t, &edited, Landed)
	s.put(t, memo(memory.Decision, "Same, from the store", "global text"), Global)
	r := find(t, s.index, s.view, "text", 10)
	if r.View != 2 || r.Total != 2 {
		t.Fatalf("view %d, total %d, want 2 and 2", r.View, r.Total)
	}
	for _, h := range r.Hits {
		if h.Memory.ID == m.ID && (h.Item.Stage != Landed || h.Memory.Text != edited.Text) {
			t.Errorf("the pending text won: %+v", h.Item)
		}
	}
}

func TestPriorOrdersNearTiesOnly(t *testing.T) {
	s := newShelf(t,
		memo(memory.Learned, "Plain", "retry with backoff"),
		memo(memory.Learned, "Weighty", "retry with backoff"),
		memo(memory.Learned, "Clear match", "quorum and quorum again"),
		memo(memory.Learned, "Passing mention", "a quorum among forty other words: "+strings.Repeat("filler ", 40)),
	)
	for i := range s.view.Items {
		m, _ := s.index.Catalog().Head(t.Context(), s.view.Items[i].Blob)
		if m.Title == "Weighty" || m.Title == "Passing mention" {
			s.view.Items[i].Prior = 1
		}
	}
	if got := s.titles(t, "backoff"); got[0] != "Weighty" {
		t.Errorf("a near-tie was not ordered by the prior: %q", got)
	}
	if got := s.titles(t, "quorum"); got[0] != "Clear match" {
		t.Errorf("a clear match was buried: %q", got)
	}
	if got := s.titles(t, ""); len(got) != 4 || got[0] == "Plain" || got[1] == "Plain" {
		t.Errorf("without words the prior decides: %q", got)
	}
}

func TestSearchOfDamagedTextFetchesAgain(t *testing.T) {
	m := memo(memory.Decision, "Fetched", "text that must come back")
	data := memory.Format(m)
	blob := BlobID(data, false)
	x := Open(Options{})
	items := []Item{{Blob: blob, Path: m.Path(), Stage: Pending}, {Blob: strings.Repeat("0", 40), Path: "gone.md", Stage: Pending}}
	asked := 0
	fetch := func(_ context.Context, blobs []string, yield func(string, []byte) error) error {
		asked++
		for _, b := range blobs {
			if b == blob {
				if err := yield(b, data); err != nil {
					return err
				}
			}
		}
		return nil
	}
	problems, err := x.Fill(context.Background(), items, fetch)
	if err != nil || len(problems) != 1 || problems[0].Path != "gone.md" {
		t.Fatalf("Fill: %v, %v", problems, err)
	}
	n, _ := x.Catalog().find(blob, 0)
	x.Catalog().forget(n)
	if _, err := x.Fill(context.Background(), items[:1], fetch); err != nil || asked != 2 {
		t.Fatalf("Fill of what was forgotten: asked %d times, %v", asked, err)
	}
	if _, err := x.Fill(context.Background(), []Item{{Blob: "f00"}}, func(context.Context, []string, func(string, []byte) error) error {
		return errors.New("no git")
	}); err == nil {
		t.Error("an error of fetch was swallowed")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := x.Search(ctx, View{Items: items}, query.Query{}, SearchOptions{}); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search: %v", err)
	}
}

func TestSnippet(t *testing.T) {
	long := strings.Repeat("nothing of interest here. ", 30)
	for _, c := range []struct{ text, query, want string }{
		{"", "x", ""},
		{"short text", "text", "short [text]"},
		{"Caching is hard: caches and CACHE.", "cache", "[Caching] is hard: [caches] and [CACHE]."},
		{"a **bold** word\n\nand more", "bold", "a [bold] word and more"},
		{long + "the quorum is lost. " + long, "quorum lost", "interest here. the [quorum] is [lost]. nothing of"},
		{"日本語の検索エンジン", "検索", "日本語の[検索]エンジン"},
	} {
		a := &words.Analyser{}
		p := scoring.NewPlan(a, []string{c.query})
		s := cutSnippet(a, c.text, p.Marks, 60)
		var b strings.Builder
		last := 0
		for _, m := range s.Marks {
			fmt.Fprintf(&b, "%s[%s]", s.Text[last:m.Start], s.Text[m.Start:m.End])
			last = m.End
		}
		b.WriteString(s.Text[last:])
		if got := b.String(); got != c.want && (c.text[:min(5, len(c.text))] != "nothi" || !strings.Contains(got, c.want)) {
			t.Errorf("snippet of %.20q for %q: %q, want %q", c.text, c.query, got, c.want)
		}
	}
}

func FuzzSnippet(f *testing.F) {
	f.Add("some text about the cache", "cache", 20)
	f.Add("検索 🚀 \xff", "検索", 1)
	f.Fuzz(func(t *testing.T, text, query string, width int) {
		a := &words.Analyser{}
		s := cutSnippet(a, text, scoring.NewPlan(a, []string{query}).Marks, 1+width&255)
		last := 0
		for _, m := range s.Marks {
			if m.Start < last || m.End <= m.Start || m.End > len(s.Text) {
				t.Fatalf("marks %v of %q", s.Marks, s.Text)
			}
			last = m.End
		}
		if strings.ContainsAny(s.Text, "\n\x1b") {
			t.Fatalf("snippet of more than one clean line: %q", s.Text)
		}
	})
}

func TestCatalogKeepsEveryField(t *testing.T) {
	m := memo(memory.Decision, "Everything", "Body\n\nwith two paragraphs.", func(m *memory.Memory) {
		m.Updated = testNow
		m.Confidence, m.Priority, m.Pinned, m.Contested = 0.85, 3, true, true
		m.Tags, m.Files, m.Entities = []string{"a", "b c"}, []string{"x/y.go"}, []string{"e"}
		m.Links = []memory.Link{{Rel: memory.Supersedes, To: "0123456789abcdef"}}
		m.Anchors = []memory.Anchor{{Path: "x/y.go", Blob: "9f2c"}}
		m.Source = memory.Source{Agent: "a", Session: "s", Layer: "tag", Branch: "b", Commit: "abcd", Record: 41, Ref: "r"}
		m.Unknown = "future: yes\n"
	})
	data := memory.Format(m)
	want, err := memory.Parse("x", data)
	if err != nil {
		t.Fatal(err)
	}
	blob := BlobID(data, false)
	dir := filepath.Join(t.TempDir(), "cache")
	x := Open(Options{Dir: dir})
	x.Catalog().Add(blob, "x", data)
	bad := BlobID([]byte("no memory"), false)
	x.Catalog().Add(bad, "bad.md", []byte("no memory"))
	for _, label := range []string{"fresh", "from disk"} {
		got, ok := x.Catalog().Memory(t.Context(), blob)
		if diff := cmp.Diff(want, got); !ok || diff != "" {
			t.Errorf("%s (-want +got):\n%s", label, diff)
		}
		if f, ok := x.Catalog().Facts(blob); !ok || f.ID != m.ID || len(f.Links) != 1 || !f.Updated.Equal(testNow) {
			t.Errorf("%s: facts %+v", label, f)
		}
		if p, ok := x.Catalog().Problem(bad); !ok || p.Path != "bad.md" || p.Line != 1 {
			t.Errorf("%s: problem %+v", label, p)
		}
		if err := x.Close(); err != nil {
			t.Fatal(err)
		}
		x = Open(Options{Dir: dir})
	}
	_ = x.Close()
}
