package imports

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// issue is a line of the file of an issue tracker for agents (beads, .beads/issues.jsonl).
type issue struct {
	ID          string   `json:"id"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Design      string   `json:"design"`
	Acceptance  string   `json:"acceptance_criteria"`
	Notes       string   `json:"notes"`
	Status      string   `json:"status"`
	Type        string   `json:"issue_type"`
	Created     string   `json:"created_at"`
	CloseReason string   `json:"close_reason"`
	Labels      []string `json:"labels"`
	Depends     []struct {
		On   string `json:"depends_on_id"`
		Type string `json:"type"`
	} `json:"dependencies"`
	Comments []struct {
		Author string `json:"author"`
		Text   string `json:"text"`
	} `json:"comments"`
}

// Beads imports the issues of beads, one on each line: a bug becomes a problem, or a fix once
// it is closed, other work a plan, or progress. What each part of an issue says is kept, and
// dependencies become links. Deleted issues are passed over.
func Beads(ctx context.Context, w *workspace.Workspace, in Input) (Result, error) {
	var records []record
	bad, err := in.eachLine(func(line []byte) error {
		var is issue
		if err := json.Unmarshal(line, &is); err != nil {
			return fmt.Errorf("not an issue: %w", err)
		}
		if is.Status != "tombstone" {
			records = append(records, is.record())
		}
		return nil
	})
	if err != nil {
		return Result{}, err
	}
	out, err := take(ctx, w, records, in.DryRun, in.byRef)
	out.Skipped = append(bad, out.Skipped...)
	return out, err
}

// record is the issue as a memory of its own.
func (is *issue) record() record {
	r := named("beads:"+is.ID, is.Title, is.text())
	r.Type, r.Date, r.tags = is.kind(), dateOf(is.Created), is.Labels
	for _, d := range is.Depends {
		rel, ok := map[string]memory.Rel{
			"blocks": memory.BuildsOn, "parent-child": memory.StepOf, "discovered-from": memory.DerivedFrom,
		}[d.Type]
		if !ok {
			rel = memory.RelatesTo
		}
		r.links = append(r.links, refLink{rel, "beads:" + d.On})
	}
	return r
}

// kind is the type of memory for the kind of issue, while it is open and once it is closed.
func (is *issue) kind() string {
	open := map[string]memory.Type{"bug": memory.Problem, "decision": memory.Decision}
	closed := map[string]memory.Type{"bug": memory.Fix, "decision": memory.Decision}
	if is.Status == "closed" {
		return string(cmp.Or(closed[is.Type], memory.Progress))
	}
	return string(cmp.Or(open[is.Type], memory.Plan))
}

// text joins the parts of the issue, each under its name.
func (is *issue) text() string {
	var b strings.Builder
	b.WriteString(is.Description)
	part := func(name, text string) {
		if strings.TrimSpace(text) != "" {
			b.WriteString("\n\n## " + name + "\n\n" + strings.TrimSpace(text))
		}
	}
	part("Design", is.Design)
	part("Acceptance criteria", is.Acceptance)
	part("Notes", is.Notes)
	for _, c := range is.Comments {
		part("Comment of "+c.Author, c.Text)
	}
	part("Closed", is.CloseReason)
	return b.String()
}
