package memory

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// FuzzCanonical holds the reader of canonical frontmatter against the YAML
// library: where the first one answers, both must say the same.
func FuzzCanonical(f *testing.F) {
	for _, seed := range []string{
		"id: 0123456789abcdef\ntitle: Keep it\n",
		"title: \"a: b # c\"\ntags: [a, \"b, c\", C++, 1.0]\n",
		"links: [{rel: answers, to: 0123456789abcdef}, {rel: refines, to: \"1234567890123456\"}]\n",
		"source: {agent: me, record: 12}\n",
		"title: Größe (in µs) – 3 × 4\n",
		"tags: [a , b]\n", "tags: [a,b]\n", "tags: []\n", "a: {}\n", "tags: [[a]]\n", "a: b: c\n", "a: \"b\" c\n",
		"a: -\n", "a: b\n  c\n", "a: b\n...\n", "y: yes\n", "a: ~\n", "null: null\n", "a: \"\\x41\"\n", "a: 'b'\n", "a: b\na: c\n",
		"a: \"\u200b\"\n", "a: (b)\n", "a: /b\n", "a: .b\n", "a: b:c\n", "a: b#c\n", "a: b c \n", "a: [b:c]\n", "a: [b-c]\n", "a: {b: c,d: e}\n",
		strings.Repeat("k", 2000) + ": v\n", "a: {" + strings.Repeat("k", 2000) + ": v}\n", "a: [" + strings.Repeat("v", 2000) + ", b]\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, head string) {
		if checkHead(head) != nil {
			return
		}
		fast, ok := new(Parser).readCanonical(head)
		if !ok {
			return
		}
		slow, err := readYAML(head)
		if err != nil {
			if len(fast) == 0 {
				return // both read nothing
			}
			t.Fatalf("YAML refuses %q: %v", head, err)
		}
		if diff := cmp.Diff(slow, fast, cmp.AllowUnexported(entry{}, node{})); diff != "" {
			t.Errorf("%q: (-YAML +canonical)\n%s", head, diff)
		}
		file := "---\n" + head + "---\nbody"
		cut, _, _ := cutCanonical(file)
		if !strings.HasSuffix(head, "\n") || strings.Contains("\n"+head, "\n---\n") {
			return
		}
		if by, _, err := cutFences(file); err != nil || by != cut {
			t.Errorf("fences of %q: %q, %q (%v)", file, cut, by, err)
		}
	})
}

// Every file that Format writes without an escape is read without YAML.
func TestCanonicalIsTaken(t *testing.T) {
	m := &Memory{
		ID: "0123456789abcdef", Type: Decision, Title: "Keep: the index #1", Created: time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC),
		Tags: []string{"a", "on", "1.0"}, Links: []Link{{Refines, "1234567890123456"}},
		Anchors: []Anchor{{"a/b.go", "0123abcd"}}, Source: Source{Agent: "x", Record: 3}, Unknown: "reviewed_by: ann\n",
	}
	head, _, ok := cutCanonical(string(Format(m)))
	if _, read := new(Parser).readCanonical(head); !ok || !read {
		t.Errorf("the YAML library is needed for\n%s", head)
	}
}
