package memory_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

func TestParseErrorIsTyped(t *testing.T) {
	_, err := memory.Parse("a/b.md", []byte("# A page\n"))
	var pe *memory.ParseError
	if !errors.As(err, &pe) || pe.Path != "a/b.md" || pe.Line != 1 || !errors.Is(err, memory.ErrNotMemory) {
		t.Errorf("got %#v", err)
	}
	if want := "a/b.md:1: no frontmatter: the first line must be ---"; err.Error() != want {
		t.Errorf("got %q", err)
	}
}

func TestParseLimits(t *testing.T) {
	head := "---\nid: 0123456789abcdef\ntype: fix\ntitle: t\ncreated: 2026-11-20\n"
	end := "---\n"
	for name, tt := range map[string]struct {
		file string
		want string // of the error
	}{
		"file":                {head + end + strings.Repeat("x", memory.MaxFile-len(head)-len(end)), ""},
		"file, over":          {head + end + strings.Repeat("x", memory.MaxFile), "x: 1048644 bytes is over the limit of 1048576 for one memory"},
		"frontmatter":         {head + "x: " + strings.Repeat("x", memory.MaxFrontmatter-len(head)) + "\n" + end, ""},
		"frontmatter, over":   {head + "x: " + strings.Repeat("x", memory.MaxFrontmatter-len(head)+1) + "\n" + end, "x:1: 16385 bytes of frontmatter is over the limit of 16384"},
		"item":                {head + "tags: [" + strings.Repeat("x", memory.MaxTitle) + "]\n" + end, ""},
		"item, over":          {head + "tags: [" + strings.Repeat("x", memory.MaxTitle+1) + "]\n" + end, "x:6: tags: 401 bytes is over the limit of 400"},
		"source, over":        {head + "source: {ref: " + strings.Repeat("x", memory.MaxTitle+1) + "}\n" + end, "x:6: source: ref: 401 bytes is over the limit of 400"},
		"brackets":            {head + "x: " + strings.Repeat("[", 16000) + "\n" + end, "x:6: reading frontmatter: exceeded max depth of 10000"},
		"a list for a string": {strings.Replace(head, "title: t", "title: [t]", 1) + end, "x:4: title: one value is needed, not a list"},
		"a string for a list": {head + "tags: a\n" + end, "x:6: tags: a list [a, b] is needed"},
		"a list for a table":  {head + "source: [a]\n" + end, "x:6: source: a {key: value} is needed"},
		"an empty item":       {head + "tags: [a, '']\n" + end, "x:6: tags: an empty item"},
		"a key twice":         {head + "source:\n  agent: a\n  agent: b\n" + end, "x:8: source: key \"agent\" is there twice"},
		"year 0":              {strings.Replace(head, "2026-11-20", "0000-11-20", 1) + end, "x:5: created: \"0000-11-20\" is not a time (2026-11-20T14:03:11Z)"},
	} {
		_, err := memory.Parse("x", []byte(tt.file))
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || err.Error() != tt.want) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
}

func TestParseDoesNotChangeItsInput(t *testing.T) {
	data := []byte("\ufeff---\r\nid: 0123456789abcdef\r\ntype: fix\r\ntitle: t\r\ncreated: 2026-11-20\r\n---\r\nbody\r\n")
	before := string(data)
	m, err := memory.Parse("x", data)
	if err != nil || string(data) != before {
		t.Fatalf("%v, %q", err, data)
	}
	for i := range data {
		data[i] = 'x'
	}
	if m.Title != "t" || m.Text != "body" {
		t.Errorf("the memory shares bytes with the file: %+v", m)
	}
}

func TestNew(t *testing.T) {
	created := time.Date(2026, 11, 20, 23, 3, 11, 5, time.FixedZone("", -3600))
	m := memory.New(memory.Gotcha, " A\ttitle\nof \xff two lines ", "\n \r\n  text  \r\n\n", created)
	want := &memory.Memory{
		ID: m.ID, Type: memory.Gotcha, Title: "A title of \ufffd two lines", Text: "  text",
		Created: time.Date(2026, 11, 21, 0, 3, 11, 0, time.UTC), Confidence: 1, Priority: 7,
	}
	if diff := cmp.Diff(want, m); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if want := memory.NewID(memory.Gotcha, "a title of \ufffd two lines", "text"); m.ID != want {
		t.Errorf("id %s, want %s", m.ID, want)
	}
	if got, want := m.Path(), "gotcha/2026-11/a-title-of-two-lines-"+m.ID.Short()+".md"; got != want {
		t.Errorf("path %q, want %q", got, want)
	}
	long := memory.New(memory.Fix, strings.Repeat("ü", 500), "", created)
	if len(long.Title) > memory.MaxTitle || !strings.HasSuffix(long.Title, "ü…") || long.Validate() != nil {
		t.Errorf("%d bytes, %v: %q", len(long.Title), long.Validate(), long.Title)
	}
}

func TestValidate(t *testing.T) {
	good := memory.New(memory.Fix, "title", "text", time.Unix(1e9, 0))
	for name, tt := range map[string]struct {
		change func(m *memory.Memory)
		want   string
	}{
		"nothing":     {func(*memory.Memory) {}, ""},
		"no id":       {func(m *memory.Memory) { m.ID = "" }, `:2: id: "" is not a memory id (16 characters of 0-9a-z without i, l, o, u)`},
		"no title":    {func(m *memory.Memory) { m.Title = " \n" }, ":4: title: the title is empty"},
		"no date":     {func(m *memory.Memory) { m.Created = time.Time{} }, `:1: the key "created" is missing`},
		"a long text": {func(m *memory.Memory) { m.Text = strings.Repeat("x", memory.MaxFile) }, "1048659 bytes is over the limit of 1048576 for one memory"},
		"long lists":  {func(m *memory.Memory) { m.Tags = manyWords(300); m.Files = manyWords(300); m.Entities = manyWords(300) }, ""},
		"many long values": {func(m *memory.Memory) {
			m.Source.Agent = strings.Repeat("x", 500)
			m.Tags = []string{strings.Repeat("x", 500)}
		}, ""},
	} {
		m := *good
		tt.change(&m)
		err := m.Validate()
		if tt.want == "" && err != nil || tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)) {
			t.Errorf("%s: got %v, want %q", name, err, tt.want)
		}
	}
}

// The lists of a memory are cut, the longest first, until its frontmatter fits.
func TestFormatCutsLists(t *testing.T) {
	m := memory.New(memory.Fix, "title", "text", time.Unix(1e9, 0))
	m.Tags = []string{"kept"}
	m.Files = manyWords(300)
	for _, f := range m.Files {
		m.Anchors = append(m.Anchors, memory.Anchor{Path: f, Blob: "0123456789"})
	}
	got, err := memory.Parse("x", memory.Format(m))
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Tags) != 1 || len(got.Files) < 64 || len(got.Anchors) < 64 || len(got.Anchors) > len(got.Files) {
		t.Errorf("%d tags, %d files, %d anchors", len(got.Tags), len(got.Files), len(got.Anchors))
	}
	if len(m.Files) != 300 {
		t.Error("Format changed its argument")
	}
}

func manyWords(n int) []string {
	words := make([]string, n)
	for i := range words {
		words[i] = strings.Repeat("w", 40) + strings.Repeat("x", i%20) + string(memory.NewID(memory.Fix, strings.Repeat("a", i), ""))
	}
	return words
}

func TestOneLine(t *testing.T) {
	for in, want := range map[string]string{
		"": "", " ": "", "a": "a", " a ": "a", "a  b": "a b", "a\nb\tc": "a b c", "a b c": "a b c", "\u00a0ü\u2003x\u2028": "ü x", "a ": "a",
	} {
		if got := memory.OneLine(in); got != want {
			t.Errorf("OneLine(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestParser: files that are read in the memory of others are read as each by itself.
func TestParser(t *testing.T) {
	files := []string{
		"---\nid: 0123456789abcdef\ntype: decision\ntitle: One\ncreated: 2026-11-20T00:00:00Z\ntags: [a, b, c]\nlinks: [{rel: refines, to: 1234567890123456}]\npinned: true\nreviewed_by: ann\n---\n\nText\n",
		"no memory", "---\nid: x\n---\n",
		"---\nid: 0123456789abcdeg\ntype: fix\ntitle: Two\ncreated: 2026-11-21\ntags:\n- z\n---\n\nOther\n",
		"---\nid: 0123456789abcdef\nid: 0123456789abcdef\n---\n", "---\nby: x\nby: y\n---\n",
	}
	var p memory.Parser
	for range 2 {
		for _, file := range files {
			got, err := p.Parse("x.md", file)
			want, wrong := memory.Parse("x.md", []byte(file))
			if diff := cmp.Diff(want, got); diff != "" || fmt.Sprint(err) != fmt.Sprint(wrong) {
				t.Errorf("%q: %v, not %v (-want +got)\n%s", file, err, wrong, diff)
			}
		}
	}
}
