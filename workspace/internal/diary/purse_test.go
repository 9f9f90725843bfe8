package diary

import (
	"math"
	"slices"
	"testing"
)

// TestPurse: prompts and calls fill the purse up to what it holds, what was told is paid from
// it since the session began, but for the briefing and the first prompt that was told of
// anything.
func TestPurse(t *testing.T) {
	for name, c := range map[string]struct {
		said []Showing
		want Purse
	}{
		"new":                   {nil, Purse{Left: 120}},
		"the briefing":          {[]Showing{{Moment: StartMoment, Tokens: 500}}, Purse{Left: 120}},
		"a silent prompt":       {[]Showing{{Moment: promptMoment}}, Purse{Left: 240}},
		"the first prompt told": {[]Showing{{Moment: promptMoment, Tokens: 400}}, Purse{Left: 240, Tasked: true}},
		"a second one":          {[]Showing{{Moment: promptMoment, Tokens: 400}, {Moment: promptMoment, Tokens: 60}}, Purse{Left: 300, Tasked: true}},
		"calls":                 {[]Showing{{Moment: "command"}, {Moment: "file", Tokens: 210}}, Purse{Left: -10}},
		"no more than it holds": {append(slices.Repeat([]Showing{{Moment: promptMoment}}, 9), Showing{Moment: "error", Tokens: 50}), Purse{Left: 750}},
		"begun again":           {[]Showing{{Moment: promptMoment, Tokens: 400}, {Moment: markBegun}, {Moment: "command"}}, Purse{Left: 160}},
		"summarised":            {[]Showing{{Moment: promptMoment, Tokens: 400}, {Moment: markCompacted}}, Purse{Left: 240, Tasked: true}},
	} {
		d, _ := open(t)
		for _, s := range c.said {
			if err := d.NoteShown("a", s); err != nil {
				t.Fatal(err)
			}
		}
		if got := *d.Purse("a"); got != c.want {
			t.Errorf("%s: %+v, not %+v", name, got, c.want)
		}
	}
}

// TestPurseAllows: a hit may take more than there is, and a remedy is always said.
func TestPurseAllows(t *testing.T) {
	for name, c := range map[string]struct {
		purse Purse
		said  Said
		want  int
		empty bool
	}{
		"a hit":                {Purse{Left: 90, Tasked: true}, Said{"command", false}, 90 + overdraft, false},
		"a hit, empty":         {Purse{Left: -overdraft, Tasked: true}, Said{"command", false}, 0, true},
		"the first prompt":     {Purse{Left: -20}, Said{promptMoment, false}, taskTokens, false},
		"a later prompt":       {Purse{Left: -20, Tasked: true}, Said{promptMoment, false}, overdraft - 20, false},
		"a remedy":             {Purse{Left: -20}, Said{errorMoment, true}, math.MaxInt, false},
		"a hit after an error": {Purse{Left: -20}, Said{errorMoment, false}, overdraft - 20, false},
	} {
		if got := c.purse.Allows(c.said); got != c.want {
			t.Errorf("%s: %d tokens, not %d", name, got, c.want)
		}
		if got := c.purse.Empty(c.said.Moment); got != c.empty {
			t.Errorf("%s: empty %t", name, got)
		}
	}
}
