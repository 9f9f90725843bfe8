package query

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// now is Friday, 20 November 2026.
func TestParsePlainLanguage(t *testing.T) {
	for text, want := range map[string]struct {
		words   string
		clauses string
	}{
		"cache last week":                {"cache", "since:2026-11-09 until:2026-11-16"},
		"what changed yesterday?":        {"", "since:2026-11-19 until:2026-11-20"},
		"cache since March":              {"cache", "since:2026-03-01"},
		"cache in October":               {"cache", "since:2026-10-01 until:2026-11-01"},
		"cache in October 2024":          {"cache", "since:2024-10-01 until:2024-11-01"},
		"cache in 2025":                  {"cache", "since:2025-01-01 until:2026-01-01"},
		"cache 3 days ago":               {"cache", "since:2026-11-17 until:2026-11-18"},
		"two weeks ago cache":            {"cache", "since:2026-11-06 until:2026-11-13"},
		"cache in the last 3 days":       {"cache", "since:2026-11-17"},
		"cache over the past two weeks":  {"cache", "since:2026-11-06"},
		"cache since yesterday":          {"cache", "since:2026-11-19"},
		"cache since 2026-11-01":         {"cache", "since:2026-11-01"},
		"cache before june":              {"cache", "until:2026-06-01"},
		"cache until june":               {"cache", "until:2026-07-01"},
		"cache since 3 days":             {"cache since 3 days", ""},
		"cache since last week":          {"cache", "since:2026-11-09"},
		"cache last monday":              {"cache", "since:2026-11-16 until:2026-11-17"},
		"this month":                     {"", "since:2026-11-01 until:2026-12-01"},
		"the last commit":                {"the last commit", ""},
		"in may we trust":                {"we trust", "since:2026-05-01 until:2026-06-01"},
		"it may march on":                {"it may march on", ""},
		`cache "last week"`:              {"cache last week", ""},
		"cache last week until:monday":   {"cache last week", "until:2026-11-17"},
		"decisions about storage":        {"storage", "type:decision type:rejected"},
		"Show me all decisions on locks": {"locks", "type:decision type:rejected"},
		"decisions last week":            {"", "since:2026-11-09 until:2026-11-16 type:decision type:rejected"},
		"decisions":                      {"", "type:decision type:rejected"},
		"decision tree pruning":          {"decision tree pruning", ""},
		"what did we decide about locks": {"locks", "type:decision type:rejected"},
		"which decisions did we make":    {"we make", "type:decision type:rejected"},
		"why did we pick flock":          {"why did we pick flock", "type:decision type:rejected type:architecture"},
		"why does it hang":               {"why does it hang", ""},
		"open questions":                 {"", "type:question is:open"},
		"open questions about sync":      {"sync", "type:question is:open"},
		"problems with the lock file":    {"the lock file", "type:problem type:gotcha type:fix"},
		"rejected approaches":            {"", "type:rejected"},
		"what did we reject for search":  {"search", "type:rejected"},
		"problem details header":         {"problem details header", ""},
		"type:fix decisions about x":     {"decisions about x", "type:fix"},
		"open the question box":          {"open the question box", ""},

		"what happened in the last three sessions":   {"", "session:last:3"},
		"what did we decide in the last 2 sessions?": {"", "session:last:2 type:decision type:rejected"},
		"gauge parser in my last session":            {"gauge parser", "session:last:1"},
		"the previous session":                       {"", "session:last:1"},
		"what happened in sessions 5-8?":             {"", "session:5-8"},
		"what did we decide in sessions 5 to 8":      {"", "session:5-8 type:decision type:rejected"},
		"gauge parser in session 5":                  {"gauge parser", "session:5"},
		"what was learned of session 7":              {"what was learned", "session:7"},
		"Session 3?":                                 {"", "session:3"},
		"the user's session 3":                       {"the user's session 3", ""},
		"session 404 error":                          {"session 404 error", ""},
		"sessions 5 failed":                          {"sessions 5 failed", ""},
		"recent sessions about the gauge":            {"the gauge", "session:last:3"},
		"last session cookie":                        {"last session cookie", ""},
		"sessions that time out":                     {"sessions that time out", ""},
	} {
		q := Parse(text, testNow)
		var clauses []string
		for _, c := range q.Clauses {
			v := c.Value
			if !c.Time.IsZero() {
				v = c.Time.Format(time.DateOnly)
			}
			clauses = append(clauses, string(c.Key)+":"+v)
		}
		if got := strings.Join(q.Words, " "); got != want.words {
			t.Errorf("%q: words %q, want %q", text, got, want.words)
		}
		if got := strings.Join(clauses, " "); got != want.clauses {
			t.Errorf("%q: filters %q, want %q", text, got, want.clauses)
		}
		said := slices.ContainsFunc(q.Clauses, func(c Clause) bool { return c.Said != "" })
		if said != (len(q.Notes) > 0) || said != (q.Plain != nil) {
			t.Errorf("%q: said %v, notes %q, plain %q", text, said, q.Notes, q.Plain)
		}
		if got := strings.Join(q.Literal().Words, " "); said && !strings.EqualFold(got, text) {
			t.Errorf("%q: literally %q", text, got)
		}
	}
}
