package imports

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// claudeMem reads the observations of claude-mem, and what its summaries of sessions say
// was learned.
func claudeMem(ctx context.Context, db *sqliteDB) *stream {
	summaries := db.Has("session_summaries", "id", "learned")
	observations := rows(ctx, db, "observations", observation)
	return &stream{each: func(yield func(record) error) error {
		err := observations(yield)
		if err != nil || !summaries {
			return err
		}
		return rows(ctx, db, "session_summaries", summary)(yield)
	}}
}

// observation makes a record of a row of observations.
func observation(row sqliteRow) record {
	var text []string
	for _, part := range []string{row.Text("subtitle"), row.Text("narrative")} {
		if part = strings.TrimSpace(part); part != "" {
			text = append(text, part)
		}
	}
	if facts := listOf(row.Text("facts")); len(facts) > 0 {
		text = append(text, "- "+strings.Join(facts, "\n- "))
	}
	if len(text) == 0 {
		text = append(text, row.Text("text"))
	}
	ref, whole := "claude-mem:"+row.Text("id"), strings.Join(text, "\n\n")
	r := named(ref, row.Text("title"), whole)
	if strings.TrimSpace(r.Title) == "" {
		r = said(ref, whole)
	}
	r.Type = observed(row.Text("type"))
	r.Date = claudeDate(row)
	r.tags = listOf(row.Text("concepts"))
	r.session = cmp.Or(row.Text("memory_session_id"), row.Text("sdk_session_id"))
	r.project = cmp.Or(row.Text("merged_into_project"), row.Text("project"))
	r.files = listOf(row.Text("files_modified"))
	r.gone = r.Title == "" && r.Text == ""
	return r
}

// observed is the type of a memory for one of claude-mem's or engram's.
func observed(kind string) string {
	ours := map[string]memory.Type{
		"bugfix":  memory.Fix,
		"feature": memory.Progress, "refactor": memory.Progress, "change": memory.Progress,
		"discovery": memory.Learned, "learning": memory.Learned, "pattern": memory.Learned, "passive": memory.Learned,
		"config": memory.Context, "manual": memory.Context, "session_summary": memory.Context,
		"security_alert": memory.Gotcha, "security_note": memory.Gotcha,
	}
	return cmp.Or(string(ours[strings.ToLower(kind)]), kind)
}

// summary makes a record of what a summary of a session says was learned.
func summary(row sqliteRow) record {
	r := said("claude-mem:summary-"+row.Text("id"), row.Text("learned"))
	r.Type, r.Date = string(memory.Learned), claudeDate(row)
	r.project = cmp.Or(row.Text("merged_into_project"), row.Text("project"))
	r.session = cmp.Or(row.Text("memory_session_id"), row.Text("sdk_session_id"))
	r.tags, r.gone = []string{"session-summary"}, strings.TrimSpace(row.Text("learned")) == ""
	return r
}

// claudeDate is when a row was written.
func claudeDate(row sqliteRow) string {
	if ms, ok := row.Number("created_at_epoch"); ok && ms > 0 {
		if ms < 1e11 { // seconds, in early versions
			ms *= 1000
		}
		return time.UnixMilli(int64(ms)).UTC().Format(time.RFC3339)
	}
	return dateOf(row.Text("created_at"))
}

// listOf reads a JSON list of texts; of anything else it takes what stands between commas.
func listOf(text string) []string {
	var list []string
	if json.Unmarshal([]byte(text), &list) == nil {
		return list
	}
	return words(text)
}
