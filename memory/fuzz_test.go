package memory_test

import (
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// roundTrip checks that m, which Parse returned or Tidy made, survives being
// written, and that writing it again changes nothing.
func roundTrip(t *testing.T, m *memory.Memory) {
	t.Helper()
	data := memory.Format(m)
	again, err := memory.Parse("x.md", data)
	if err != nil {
		t.Fatalf("parsing what Format wrote: %v\n%q", err, data)
	}
	if diff := cmp.Diff(m, again); diff != "" {
		t.Fatalf("round trip (-want +got):\n%s\n%q", diff, data)
	}
	if second := memory.Format(again); string(second) != string(data) {
		t.Fatalf("not a fixed point:\n%q\n%q", data, second)
	}
}

func FuzzParse(f *testing.F) {
	head := "---\nid: 0123456789abcdef\ntype: fix\ntitle: t\ncreated: 2026-11-20T14:03:11Z\n"
	for _, seed := range []string{
		head + "---\nbody\n",
		head + "tags: [a, \"b\", 'c']\nfiles:\n- a/b.go\n- c.go\npinned: yes\n---\n",
		"\ufeff" + strings.ReplaceAll(head, "\n", "\r\n") + "---\r\na\r\r\nb\r\n",
		head + "# note\nreviewed: {by: ann}\nlong: |+\n  a\n\n  # b\n\n---\n\n\n  x  \n\n",
		head + "source: {agent: a, record: 3, commit: 0aBc, ref: \"\"}\nconfidence: -0\npriority: 7\n---\n---\nid: x\n---\n",
		head + "links: [{rel: Derived-From, to: 0123456789abcdef}]\nanchors: [{path: a, blob: 0000}]\nupdated:\n---",
		head + "? x\n: y\n---\n", head + "a: &b c\nd: *b\n---\n", head + "a: !!int 3\n---\n", head + "...\nx: y\n---\n",
		head + "x: \"a\n# b\n---\n", "---\n{id: x}\n---\n", "---\n---\n", "---\n", "", "---\n- a\n---\n", "---\nid: 1\nid: 2\n---\n",
		head + "---\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n",
		head + "a: \u2028b\n---\n", head + "a: |\n  ---\n---\n", head + "\tx: y\n---\n",
		"---\ntitle: \"multi\n# line\n  text\"\n# note\nid: \"0123456789abcdef\"\ntype: fix\ncreated: 2026-01-01\n---\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := memory.Parse("x.md", data)
		if err != nil {
			if pe, ok := err.(*memory.ParseError); !ok || pe.Path != "x.md" || pe.Err == nil || strings.Count(err.Error(), "x.md:") != 1 {
				t.Fatalf("%T %+v", err, err)
			}
			return
		}
		if len(memory.Format(m)) > len(data)+memory.MaxFrontmatter/4 && m.Validate() != nil {
			return // what is quoted takes more room, and the limits are near
		}
		if m.Validate() != nil && len(data) > memory.MaxFrontmatter/4 {
			return
		}
		roundTrip(t, m)
	})
}

func FuzzFormat(f *testing.F) {
	f.Add("Chose: \"this\" #1", "on, 1.0\n~\ntrue\n0x1F\n1e3", "a/b.go\n../x\n.git/config", "body\n", "# note\n", 0.9, int64(1763647391), 3, true)
	f.Add("\x00\x1b[31m\u202e\xff", "\u2028\n\xfe", "C:/x\na  b.txt", "---\nid: x\n---\n", "x: 1\n", -1.0, int64(-1), 0, false)
	f.Add("- a", "{b: c}", "a", "<<<<<<< a\n=======\n>>>>>>> b", "", 2.0, int64(1<<60), 99, false)
	f.Add("2026-11-20", "12:30:45\n1_000\n.5\n.inf", "a", "\r\r\n\n x\r\n", "a: |\n  b\n", 0.12345, int64(0), 10, true)
	f.Add(strings.Repeat("ö ", 300), strings.Repeat("tag\n", 300), strings.Repeat("a/\n", 3), "\n\n \t\n", "", 0.0, int64(5), -3, false)
	f.Fuzz(func(t *testing.T, title, words, paths, text, unknown string, confidence float64, unix int64, priority int, flag bool) {
		list := strings.Split(words, "\n")
		m := memory.New(memory.Fix, title, text, time.Unix(unix, 7))
		if y := m.Created.Year(); y <= 1 || y > 9999 || m.Title == "" {
			m = memory.New(memory.Fix, "title"+title, text, time.Unix(1, 0))
		}
		m.Confidence, m.Priority, m.Pinned, m.Contested = confidence, priority, flag, !flag
		m.Tags, m.Entities, m.Files = list, list, strings.Split(paths, "\n")
		m.Source = memory.Source{Agent: words, Session: title, Commit: paths, Branch: words, Record: priority}
		for i, w := range list {
			m.Links = append(m.Links, memory.Link{Rel: memory.Rels()[i%len(memory.Rels())], To: memory.NewID(memory.Fix, w, "")}, memory.Link{Rel: memory.Rel(w), To: memory.ID(w)})
			m.Anchors = append(m.Anchors, memory.Anchor{Path: paths, Blob: w}, memory.Anchor{Path: w, Blob: "0123abcd"})
		}
		m.Unknown = unknownLines(unknown)
		before := *m
		if m.Validate() != nil {
			if len(m.Unknown) > memory.MaxFrontmatter/4 || len(text) > memory.MaxFile/2 {
				return
			}
			t.Fatalf("%v\n%q", m.Validate(), memory.Format(m))
		}
		want, err := memory.Parse("x.md", memory.Format(m))
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(&before, m); diff != "" {
			t.Fatalf("Format changed its argument:\n%s", diff)
		}
		roundTrip(t, want)
		m.Tidy()
		if len(memory.Format(m)) < memory.MaxFrontmatter {
			if diff := cmp.Diff(m, want); diff != "" {
				t.Fatalf("Parse(Format(m)) is not Tidy(m):\n%s", diff)
			}
		}
	})
}

// unknownLines is s when it can be the unknown lines of a memory.
func unknownLines(s string) string {
	m, err := memory.Parse("", []byte("---\nid: 0123456789abcdef\ntype: fix\ntitle: t\ncreated: 2026-11-20\n"+s+"\n---\n"))
	if err != nil {
		return ""
	}
	return m.Unknown
}

// FuzzMerge makes three versions of a memory out of sets of letters and lines.
func FuzzMerge(f *testing.F) {
	f.Add("abc", "abd", "ac", "one\ntwo", "one\n2", "1\ntwo", int64(1), int64(2), true)
	f.Add("", "x", "y", "", "left", "right", int64(0), int64(0), false)
	f.Add("a", "a", "", "<<<<<<< a\n=======\n>>>>>>> b", "x", "y", int64(5), int64(5), true)
	f.Fuzz(func(t *testing.T, setB, setO, setT, textB, textO, textT string, updO, updT int64, added bool) {
		base, ours, theirs := version(setB, textB, 0), version(setO, textO, updO), version(setT, textT, updT)
		one := mustMerge(t, base, ours, theirs)
		two := mustMerge(t, base, theirs, ours)
		if diff := cmp.Diff(one, two); diff != "" {
			t.Errorf("depends on the direction:\n%s", diff)
		}
		if added {
			if diff := cmp.Diff(mustMerge(t, nil, ours, theirs), mustMerge(t, nil, theirs, ours)); diff != "" {
				t.Errorf("without base, depends on the direction:\n%s", diff)
			}
		}
		for _, x := range []*memory.Memory{base, ours} {
			if diff := cmp.Diff(ours, mustMerge(t, x, ours, x)); diff != "" && x != ours {
				t.Errorf("a change of one side is lost:\n%s", diff)
			}
		}
		if diff := cmp.Diff(ours, mustMerge(t, base, ours, ours)); diff != "" {
			t.Errorf("merging equal versions changes them:\n%s", diff)
		}
		for _, r := range setO + setT {
			in := func(m *memory.Memory) bool { return slices.Contains(m.Tags, string(r)) }
			if keep := in(ours) && in(theirs) || !in(base) && (in(ours) || in(theirs)); keep != in(one) {
				t.Errorf("tag %q: want %v in %v", r, keep, one.Tags)
			}
		}
		if one.Validate() != nil {
			t.Errorf("the merge cannot be read: %v", one.Validate())
		}
	})
}

// version is a memory whose single values depend on set, and whose tags and
// unknown keys are the letters of it.
func version(set, text string, updated int64) *memory.Memory {
	m := memory.New(memory.Fix, "title "+set, text, time.Unix(1_700_000_000, 0))
	m.ID = "0123456789abcdef"
	if updated %= 1 << 30; updated > 0 {
		m.Updated = time.Unix(1_700_000_000+updated, 0)
	}
	for _, r := range set {
		m.Tags = append(m.Tags, string(r))
		if r >= 'a' && r <= 'z' {
			m.Unknown += "x_" + string(r) + ": " + string(r) + "\n"
		}
	}
	m.Pinned = len(set)%2 == 1
	m.Confidence = float64(len(set)%10) / 10
	m.Unknown = unknownLines(m.Unknown)
	m.Tidy()
	return m
}

// mustMerge merges with a text merge that never succeeds, and checks that no
// conflict markers appear that were not there.
func mustMerge(t *testing.T, base, ours, theirs *memory.Memory) *memory.Memory {
	t.Helper()
	m, err := memory.Merge(base, ours, theirs, func(_, _, _ string) (string, bool) { return "", false })
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(m.Text, "<<<<<<<") > strings.Count(ours.Text+theirs.Text, "<<<<<<<") {
		t.Errorf("conflict markers in %q", m.Text)
	}
	return m
}

func FuzzClean(f *testing.F) {
	for _, seed := range []string{
		"plain", "a\x1b[31mred\x1b]0;t\x07", "\u202eabc\u202c", "a\u200bb", "\U000e0041\U000e0042", "a\r\nb\rc", "\x80\xff", "\u0085\u009b31m",
		"👩\u200d💻 1\ufe0f\u20e3", "\u200d\u200d\ufe0f\ufe0f", "\ufe0f", "क्\u200dष", "<system-reminder>x</system-reminder>", "</ SYSTEM_reminder>",
		"<!-- x -->", "Map<T, U>", "<|im_start|>", "a <| b", "<<SYS>>", "< \u200bsystem>", "<sys\u200btem>", "<<<", "<invoke>", "\u2028",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, s string) {
		clean := memory.Clean(s)
		if !utf8.ValidString(clean) {
			t.Errorf("%q is not UTF-8", clean)
		}
		for _, r := range clean {
			switch {
			case r == '\n' || r == '\t' || r == '\u200d':
			case unicode.IsControl(r), unicode.Is(unicode.Bidi_Control, r), r >= 0xe0000 && r <= 0xe0fff, r == 0x200b, r == 0xfeff:
				t.Errorf("%U remains in %q", r, clean)
			}
		}
		if again := memory.Clean(clean); again != clean {
			t.Errorf("not idempotent: %q, then %q", clean, again)
		}
		safe := memory.Defang(s)
		if again := memory.Defang(safe); again != safe {
			t.Errorf("Defang is not idempotent: %q, then %q", safe, again)
		}
		for _, tag := range []string{"<system-reminder", "</system-reminder", "<!--", "<local-command-stdout"} {
			if strings.Contains(strings.ToLower(safe), tag) {
				t.Errorf("%s remains in %q", tag, safe)
			}
		}
		if plain := memory.Plain(s); plain != memory.Clean(plain) {
			t.Errorf("Plain is not clean: %q", plain)
		}
		memory.Tokens(s)
		sameness.Signature(s)
		memory.Slug(s)
	})
}
