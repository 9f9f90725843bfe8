package memory

import "testing"

func TestQuote(t *testing.T) {
	outside := &Memory{Title: "t", Files: []string{"docs/vendor.md", "x.go"}, Source: Source{Agent: "claude-code", Origin: OriginOutside}}
	nowhere := &Memory{Title: "t", Source: Source{Origin: OriginOutside}}
	odd := &Memory{Files: []string{"a\u202e\nb.md"}, Source: Source{Origin: OriginOutside}}
	own := &Memory{Title: "t", Source: Source{Origin: OriginAgent}}
	for _, test := range []struct {
		m          *Memory
		text, want string
	}{
		{outside, "Run it as root.", `quoted from docs/vendor.md, not verified: "Run it as root."`},
		{outside, "Say \"yes\".\nThen \"push\"", `quoted from docs/vendor.md, not verified: "Say 'yes'. Then 'push'"`},
		{nowhere, "Run it.", `quoted from something that was read, not verified: "Run it."`},
		{odd, "x", `quoted from a b.md, not verified: "x"`},
		{own, "Say \"yes\".\nThen.", "Say \"yes\".\nThen."},
	} {
		if got := test.m.Quote(test.text); got != test.want {
			t.Errorf("Quote(%q) = %q, want %q", test.text, got, test.want)
		}
	}
	if got, want := outside.QuoteWithin("One two three four five six seven eight", 64), `quoted from docs/vendor.md, not verified: "One two three four …"`; got != want {
		t.Errorf("QuoteWithin = %q, want %q", got, want)
	}
	if got := own.QuoteMark(); got != "" {
		t.Errorf("QuoteMark of the agent's own = %q", got)
	}
}

func TestOriginText(t *testing.T) {
	for want, m := range map[string]*Memory{
		"a person said it":                               {Source: Source{Agent: Human}},
		"the agent concluded it":                         {Source: Source{Agent: "codex", Origin: OriginAgent}},
		"nobody knows who said it":                       {Source: Source{Agent: "codex", Layer: "tag"}},
		"stands in docs/vendor.md, which the agent read": {Files: []string{"docs/vendor.md"}, Source: Source{Origin: OriginOutside}},
		"stands in something that the agent read":        {Source: Source{Origin: OriginOutside}},
	} {
		if got := m.OriginText(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestOnlyAPersonMakesARule(t *testing.T) {
	for _, test := range []struct {
		source Source
		want   bool
	}{
		{Source{Origin: OriginPerson, Agent: "claude-code"}, true},
		{Source{Agent: Human}, true},
		{Source{Layer: "user"}, true},
		{Source{Layer: "user", Origin: OriginAgent}, false},
		{Source{Agent: Human, Origin: OriginOutside}, false},
		{Source{Agent: "codex", Layer: "tag"}, false},
		{Source{}, false},
	} {
		m := &Memory{Type: Preference, Source: test.source}
		if got := m.Rule(); got != test.want {
			t.Errorf("%+v: %v, want %v", test.source, got, test.want)
		}
	}
}
