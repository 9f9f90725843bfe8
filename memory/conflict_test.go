package memory_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

func TestParseConflict(t *testing.T) {
	const none = "none"
	for name, tt := range map[string]struct{ in, ours, theirs, base string }{
		"merge":      {"a\n<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> side\nd\n", "a\nb\nd\n", "a\nc\nd\n", none},
		"diff3":      {"a\n<<<<<<< HEAD\nb\n||||||| 1a2b\no\n=======\nc\n>>>>>>> side\nd\n", "a\nb\nd\n", "a\nc\nd\n", "a\no\nd\n"},
		"bare marks": {"<<<<<<<\nb\n|||||||\n=======\n>>>>>>>\n", "b\n", "", ""},
		"long marks": {"<<<<<<<<<< x\nb\n=======\n==========\nc\n>>>>>>>>>> y\n", "b\n=======\n", "c\n", none},
		"two, one with a base": {
			"<<<<<<< x\nb\n||||||| o\n=======\n>>>>>>> y\n-\n<<<<<<< x\n1\n=======\n2\n>>>>>>> y\n",
			"b\n-\n1\n", "-\n2\n", none,
		},
		"a base that was itself in conflict": {
			"<<<<<<< x\nb\n||||||| merged common ancestors\n<<<<<<<<< p\n1\n=========\n2\n>>>>>>>>> q\n=======\nc\n>>>>>>> y\n",
			"b\n", "c\n", "<<<<<<<<< p\n1\n=========\n2\n>>>>>>>>> q\n",
		},
		"crlf and a byte order mark": {"\ufeff<<<<<<< x\r\nb\r\n=======\r\nc\r\n>>>>>>> y\r\n", "b\n", "c\n", none},
		"no line end":                {"<<<<<<< x\nb\n=======\nc\n>>>>>>> y", "b\n", "c\n", none},
		"what looks like markers outside": {
			"Title\n=======\n>>>>>>> quoted\n|||||||\n<<<<<<< x\nb\n=======\nc\n>>>>>>> y\n",
			"Title\n=======\n>>>>>>> quoted\n|||||||\nb\n", "Title\n=======\n>>>>>>> quoted\n|||||||\nc\n", none,
		},
	} {
		t.Run(name, func(t *testing.T) {
			c, err := memory.ParseConflict([]byte(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			base := none
			if c.Base != nil {
				base = string(c.Base)
			}
			if diff := cmp.Diff([]string{tt.ours, tt.theirs, tt.base}, []string{string(c.Ours), string(c.Theirs), base}); diff != "" {
				t.Errorf("ours, theirs, base (-want +got):\n%s", diff)
			}
			if want := strings.Count(tt.in[:strings.Index(tt.in, "<<<<<<<")], "\n") + 1; c.Line != want {
				t.Errorf("line %d, want %d", c.Line, want)
			}
		})
	}
}

func TestParseConflictNames(t *testing.T) {
	c, err := memory.ParseConflict([]byte("<<<<<<< HEAD\nb\n=======\nc\n>>>>>>> feature/search\n"))
	if err != nil || c.OursName != "HEAD" || c.TheirsName != "feature/search" {
		t.Errorf("%+v, %v", c, err)
	}
}

func TestParseConflictRefuses(t *testing.T) {
	for name, tt := range map[string]struct {
		in   string
		line int
		is   error
	}{
		"no markers":         {"a\n=======\n", 0, memory.ErrNoConflict},
		"nested":             {"<<<<<<< x\n<<<<<<< x\n=======\n>>>>>>> y\n", 2, memory.ErrNested},
		"nested, longer":     {"<<<<<<< x\nb\n=======\n<<<<<<<<< x\n>>>>>>> y\n", 4, memory.ErrNested},
		"nested in a base":   {"<<<<<<< x\n||||||| o\n<<<<<<< x\n=======\n>>>>>>> y\n", 3, memory.ErrNested},
		"never ends":         {"a\n<<<<<<< x\nb\n=======\nc\n", 2, nil},
		"two middles":        {"<<<<<<< x\nb\n=======\nc\n=======\nd\n>>>>>>> y\n", 5, nil},
		"an end too early":   {"<<<<<<< x\nb\n>>>>>>> y\n", 3, nil},
		"a base in theirs":   {"<<<<<<< x\nb\n=======\n||||||| o\n>>>>>>> y\n", 4, nil},
		"larger than a file": {strings.Repeat("a", 2*memory.MaxFile+1), 0, nil},
	} {
		_, err := memory.ParseConflict([]byte(tt.in))
		var pe *memory.ParseError
		if !errors.As(err, &pe) || pe.Line != tt.line || tt.is != nil && !errors.Is(err, tt.is) {
			t.Errorf("%s: %v, want line %d", name, err, tt.line)
		}
	}
}

// FuzzParseConflict: a conflict of two texts without markers in them is taken
// apart into the two again.
func FuzzParseConflict(f *testing.F) {
	f.Add("a\n", "b\n", "c\n", "d\n", byte(0))
	f.Fuzz(func(t *testing.T, head, ours, theirs, tail string, extra byte) {
		for _, s := range []string{head, ours, theirs, tail} {
			if strings.ContainsAny(s, "<>=|\r\ufeff") || s != "" && !strings.HasSuffix(s, "\n") {
				t.Skip()
			}
		}
		mark := func(c string) string { return strings.Repeat(c, 7+int(extra%9)) }
		in := head + mark("<") + " HEAD\n" + ours + mark("=") + "\n" + theirs + mark(">") + " side\n" + tail
		c, err := memory.ParseConflict([]byte(in))
		if err != nil {
			t.Fatal(err)
		}
		if string(c.Ours) != head+ours+tail || string(c.Theirs) != head+theirs+tail {
			t.Errorf("%q came apart as %q and %q", in, c.Ours, c.Theirs)
		}
	})
}

// TestConflicted: markers are found in a page of any length, and what only looks like one
// is none.
func TestConflicted(t *testing.T) {
	long := strings.Repeat("A page has many lines like this one.\n", 2*memory.MaxFile/30)
	for text, want := range map[string]bool{
		long + "<<<<<<< HEAD\na\n=======\nb\n>>>>>>> topic\n": true,
		long + "<<<<<<< HEAD\na\n":                            false,
		long:                                                  false,
		"":                                                    false,
	} {
		if got := memory.Conflicted([]byte(text)); got != want {
			t.Errorf("%d bytes that end in %q: %v", len(text), text[max(0, len(text)-20):], got)
		}
	}
}
