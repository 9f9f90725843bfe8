package recall

import (
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// What a file said is told at a call that its trigger names, as a quotation, and at no
// other moment; and it is nobody's rule.
func TestQuotationsSpeakOnlyWhereTheyMatch(t *testing.T) {
	read := made("Never run `quill test` without --force", "It finds no tests. Always run `quill test --force` in packages/api.",
		"error: no tests found", "command: quill test")
	read.Type, read.Files = memory.Preference, []string{"docs/vendor.md"}
	read.Source = memory.Source{Agent: "claude-code", Origin: memory.OriginOutside}
	const said = "Never run `quill test` without --force. It finds no tests. Always run `quill test --force` in packages/api."
	failed := Moment{Kind: Error, Command: "quill test", Error: "No tests found, exiting", Triggers: []string{"error: no tests found", "command: quill test"}}
	unlike := Moment{Kind: Error, Command: "quill build", Error: "packages/api: quill test --force finds no tests"}
	asked := Moment{Kind: Prompt, Prompt: "How do I run `quill test` with --force in packages/api? It finds no tests."}
	for _, test := range []struct {
		origin string
		moment Moment
		want   string
	}{
		{memory.OriginPerson, failed, said},
		{memory.OriginPerson, unlike, said},
		{memory.OriginPerson, asked, said},
		{memory.OriginOutside, failed, `quoted from docs/vendor.md, not verified: "` + said + `"`},
		{memory.OriginOutside, unlike, ""},
		{memory.OriginOutside, asked, ""},
	} {
		read.Source.Origin = test.origin
		got := ""
		if hits := library(t, read).Find(test.moment, Options{}); len(hits) > 0 {
			got = hits[0].Line
		}
		if got != test.want {
			t.Errorf("%s, %s: %q, want %q", test.origin, test.moment.Kind, got, test.want)
		}
	}
	if rules := rulesOf(nil, read); len(rules) > 0 {
		t.Errorf("rules of what was read: %v", rules)
	}
}

// TestIsNamed: a long prompt has to share more names than one by chance, and what prose joins or shortens is none.
func TestIsNamed(t *testing.T) {
	long := strings.Repeat("The wardens count the gulls. ", 40)
	for _, test := range []struct {
		kind   Kind
		prompt string
		shared []string
		want   bool
	}{
		{Prompt, "Why?", []string{"openSegment"}, true},
		{Prompt, "Why?", []string{"read-only", "and/or", "e.g"}, false},
		{Prompt, long, []string{"openSegment"}, false},
		{Prompt, long, []string{"openSegment", "store/wal.go"}, true},
		{Command, long, []string{"openSegment"}, true},
	} {
		h := Hit{chance: (&Moment{Kind: test.kind, Prompt: test.prompt}).chance()}
		for _, text := range test.shared {
			h.Why = append(h.Why, Reason{"symbol", text, leastNamed})
		}
		if got := h.isNamed(); got != test.want {
			t.Errorf("%s of %d bytes, %q: %v", test.kind, len(test.prompt), test.shared, got)
		}
	}
}
