package query

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestParse(t *testing.T) {
	clause := func(key Key, value string) Clause { return Clause{Key: key, Value: value} }
	not := func(key Key, value string) Clause { return Clause{Key: key, Value: value, Not: true} }
	for text, want := range map[string]Query{
		"":                                {},
		"  \t\n":                          {},
		"why bluge":                       {Words: []string{"why", "bluge"}},
		`"search index" lock`:             {Words: []string{"search index", "lock"}, Phrases: []string{"search index"}},
		`“curly quotes”`:                  {Words: []string{"curly quotes"}, Phrases: []string{"curly quotes"}},
		`"never closed`:                   {Words: []string{"never closed"}, Phrases: []string{"never closed"}},
		`say "" nothing`:                  {Words: []string{"say", "nothing"}},
		"cache -redis":                    {Words: []string{"cache"}, Not: []string{"redis"}},
		`cache -"hot path"`:               {Words: []string{"cache"}, Not: []string{"hot path"}},
		"--no-verify":                     {Words: []string{"--no-verify"}},
		"rm -rf":                          {Words: []string{"rm", "-rf"}, Hints: []string{`-rf is taken for a flag; write -"rf" to leave out memories with it`}},
		"a - b":                           {Words: []string{"a", "-", "b"}},
		"-5 degrees":                      {Words: []string{"-5", "degrees"}},
		"type:decision index":             {Words: []string{"index"}, Clauses: []Clause{clause("type", "decision")}},
		"type:DECISION_MADE":              {Clauses: []Clause{clause("type", "decision")}},
		"type:decision,fix":               {Clauses: []Clause{clause("type", "decision"), clause("type", "fix")}},
		"-type:progress x":                {Words: []string{"x"}, Clauses: []Clause{not("type", "progress")}},
		`tag:"two words",b`:               {Clauses: []Clause{clause("tag", "two words"), clause("tag", "b")}},
		"Tags:x files:a.go":               {Clauses: []Clause{clause("tag", "x"), clause("file", "a.go")}},
		"branch:feature/x":                {Clauses: []Clause{clause("branch", "feature/x")}},
		"status:Contested":                {Clauses: []Clause{clause("status", "contested")}},
		"stage:pending":                   {Clauses: []Clause{clause("stage", "pending")}},
		"is:pinned -is:stale":             {Clauses: []Clause{clause("is", "pinned"), not("is", "stale")}},
		"since:2026-11-01":                {Clauses: []Clause{clause("since", "2026-11-01T00:00:00Z")}},
		"until:2026-11-01":                {Clauses: []Clause{clause("until", "2026-11-02T00:00:00Z")}},
		"since:7d":                        {Clauses: []Clause{clause("since", "2026-11-13T00:00:00Z")}},
		"since:2w ago":                    {Words: nil, Clauses: []Clause{clause("since", "2026-11-06T00:00:00Z")}},
		"since:yesterday x":               {Words: []string{"x"}, Clauses: []Clause{clause("since", "2026-11-19T00:00:00Z")}},
		"since:last week x":               {Words: []string{"x"}, Clauses: []Clause{clause("since", "2026-11-09T00:00:00Z")}},
		`since:"three days ago"`:          {Clauses: []Clause{clause("since", "2026-11-17T00:00:00Z")}},
		"until:last-month":                {Clauses: []Clause{clause("until", "2026-11-01T00:00:00Z")}},
		"since:march":                     {Clauses: []Clause{clause("since", "2026-03-01T00:00:00Z")}},
		"since:dec 2024 x":                {Words: []string{"x"}, Clauses: []Clause{clause("since", "2024-12-01T00:00:00Z")}},
		"since:monday":                    {Clauses: []Clause{clause("since", "2026-11-16T00:00:00Z")}},
		"since:2026-11-01T12:00:00+02:00": {Clauses: []Clause{clause("since", "2026-11-01T10:00:00Z")}},
		"std::vec https://x.y/z a:b":      {Words: []string{"std::vec", "https://x.y/z", "a:b"}},
		"file::x":                         {Words: []string{"file::x"}},
		"src/a_b.go:42":                   {Words: []string{"src/a_b.go:42"}},
		"type:banana x": {
			Words: []string{"type:banana", "x"},
			Hints: []string{`type: unknown memory type "banana" (one of decision, rejected, architecture, preference, plan, fix, gotcha, learned, pattern, question, problem, progress, context, code)`},
		},
		"since:whenever": {
			Words: []string{"since:whenever"},
			Hints: []string{`since: "whenever" is not a time (2026-11-01, 7d, 2w, 3 months, yesterday, last week, march)`},
		},
		"is:blue":       {Words: []string{"is:blue"}, Hints: []string{`is: "blue" is none of pinned, stale, contested, open, active, superseded, archived, landed, pending, global`}},
		"typ:fix lock":  {Words: []string{"typ:fix", "lock"}, Hints: []string{`"typ:" is no filter, so these are words: did you mean type:?`}},
		"lock sesion:3": {Words: []string{"lock", "sesion:3"}, Hints: []string{`"sesion:" is no filter, so these are words: did you mean session:?`}},
		"tape: broken":  {Words: []string{"tape:", "broken"}},
		"fix note:this": {Words: []string{"fix", "note:this"}},
		"note tag:":     {Words: []string{"note", "tag:"}, Hints: []string{"tag: needs a value right behind the colon, like tag:name"}},
	} {
		want.Text = text
		got := Parse(text, testNow)
		if diff := cmp.Diff(want, got, cmpopts.IgnoreFields(Clause{}, "Time"), cmpopts.IgnoreFields(Query{}, "Mistyped"), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q (-want +got):\n%s", text, diff)
		}
	}
}

// TestString holds that what a query is shown as is read as the same query.
func TestString(t *testing.T) {
	for text, want := range map[string]string{
		"":                                       "",
		`cache "hot path" -redis`:                `cache "hot path" -"redis"`,
		`tag:"two words",b -is:stale x`:          `x tag:"two words" tag:b -is:stale`,
		"Types:DECISION after:2026-11-01 lock":   "lock type:decision since:2026-11-02T00:00:00Z",
		`file:"a,b" session:0f branch:feature/*`: `file:"a,b" session:0f branch:feature/*`,
	} {
		q := Parse(text, testNow)
		if got := q.String(); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
		back := Parse(want, testNow)
		back.Text = text
		if diff := cmp.Diff(q, back); diff != "" {
			t.Errorf("%q is read as another query (-want +got):\n%s", want, diff)
		}
	}
}

// TestMistypedFilters holds that a filter with a value that its key does not have
// is known as a mistake, with what was probably meant.
func TestMistypedFilters(t *testing.T) {
	for text, try := range map[string]string{
		"type:decisin x":         "type:decision",
		"-type:gotchas! x":       "type:gotcha",
		"status:activ":           "status:active",
		"stage:landd":            "stage:landed",
		"is:pined lock":          "is:pinned",
		"since:lastweek":         "since:last-week",
		"until:whenever":         "",
		"type:banana":            "",
		`type:"no such thing" x`: "",
	} {
		q := Parse(text, testNow)
		if len(q.Mistyped) != 1 || q.Mistyped[0].Try != try || q.Mistyped[0].Hint() == "" {
			t.Errorf("%q: mistyped %v, want one and %q to try", text, q.Mistyped, try)
		}
	}
	for _, text := range []string{
		`"type:decisin"`, "tag:anything", "status: broken", "http://since:x", "note:this",
		"a pasted message of more than a dozen words that says type:decisin and status:activ somewhere",
	} {
		if q := Parse(text, testNow); len(q.Mistyped) > 0 {
			t.Errorf("%q: mistyped %v", text, q.Mistyped)
		}
	}
}

// TestBeforeAndAfter holds that before: and after: leave out what they name, and
// until: and since: do not.
func TestBeforeAndAfter(t *testing.T) {
	for text, want := range map[string]string{
		"before:2026-11-01": "2026-11-01", "until:2026-11-01": "2026-11-02",
		"after:2026-11-01": "2026-11-02", "since:2026-11-01": "2026-11-01",
		"before:2026-03": "2026-03-01", "after:2025": "2026-01-01",
		"before:1d": "2026-11-19", "until:1d": "2026-11-20", "until:yesterday": "2026-11-20", "after:2w": "2026-11-07",
	} {
		q := Parse(text, testNow)
		if got := q.Clauses[0].Time.Format("2006-01-02"); got != want {
			t.Errorf("%s begins or ends at %s, want %s", text, got, want)
		}
	}
}

// TestNewest holds that words for what is new ask for the newest first.
func TestNewest(t *testing.T) {
	for text, words := range map[string]string{
		"latest decisions": "", "most recent decisions about caching": "caching", "what did we change recently": "what did we change",
		"cache changes lately": "cache changes", "show me the newest gotchas": "",
	} {
		q := Parse(text, testNow)
		if got := strings.Join(q.Words, " "); !q.Newest || got != words {
			t.Errorf("%q: newest %v, words %q, want %q", text, q.Newest, got, words)
		}
	}
	for _, text := range []string{"latest release notes", "recent", `"latest decisions"`, "most decisions"} {
		if q := Parse(text, testNow); q.Newest {
			t.Errorf("%q asks for the newest", text)
		}
	}
}

func TestParseZone(t *testing.T) {
	zone := time.FixedZone("east", 5*3600)
	q := Parse("since:today", testNow.In(zone))
	if want := "2026-11-19T19:00:00Z"; q.Filters()["since"][0] != want {
		t.Errorf("today began at %v, want %s", q.Filters(), want)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{
		`a "b c" -d type:decision since:last week`, `"`, `-"`, "type:", "since:,,", "tag:\"x", "-is:open,stale", "\xff:\xfe",
		"until:9999-12-31", "since:99999999d", "日本語 検索", "type:decision,banana", "“”", "--", "-", ":", "a:b:c",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if len(s) > 1<<10 {
			return
		}
		q := Parse(s, testNow)
		again := Parse(s, testNow)
		if diff := cmp.Diff(q, again); diff != "" {
			t.Fatalf("parsed differently twice: %s", diff)
		}
		for _, list := range [][]string{q.Words, q.Phrases, q.Not} {
			for _, w := range list {
				if w == "" || !utf8.ValidString(w) {
					t.Fatalf("%q: word %q", s, w)
				}
			}
		}
		for _, c := range q.Clauses[:min(len(q.Clauses), 8)] {
			if y := c.Time.UTC().Year(); c.Said != "" || y < 0 || y > 9999 { // no RFC 3339 for such years
				continue
			}
			back := Parse(c.String(), testNow)
			if diff := cmp.Diff([]Clause{c}, back.Clauses, cmpopts.EquateApproxTime(time.Second)); diff != "" || len(back.Words) > 0 {
				t.Fatalf("%q: %s is read as other clauses (-want +got):\n%s", s, c, diff)
			}
		}
		for key, values := range q.Filters() {
			if key == "" || len(values) == 0 {
				t.Fatalf("%q: filters %v", s, q.Filters())
			}
		}
	})
}

var testNow = time.Date(2026, 11, 20, 15, 4, 5, 0, time.UTC)
