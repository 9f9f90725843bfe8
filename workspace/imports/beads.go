package imports

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// issue is a line of the file of an issue tracker for agents (beads, .beads/issues.jsonl): an issue,
// or what an agent was told to remember, which has a key and a value alone.
type issue struct {
	Key         string   `json:"key"`
	Value       string   `json:"value"`
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
// dependencies become links. Deleted issues are passed over and counted. What was remembered
// beside the issues is something learned.
func Beads(ctx context.Context, w *workspace.Workspace, in Input) (Result, error) {
	var issues []issue
	bad, err := in.eachLine(func(line []byte) error {
		var is issue
		err := json.Unmarshal(line, &is)
		if err == nil && is.ID+is.Key == "" {
			err = errors.New("neither an id nor a key")
		}
		if err != nil {
			return fmt.Errorf("not an issue: %w", err)
		}
		issues = append(issues, is)
		return nil
	})
	if err != nil {
		return Result{}, err
	}
	s := streamOf(issueRecords(issues))
	if err := s.only(w, "*"); err != nil {
		return Result{}, err
	}
	out, err := s.take(ctx, w, Input{DryRun: in.DryRun}, in.byRef)
	out.Skipped = append(bad, out.Skipped...)
	return out, err
}

// issueRecords makes a record of each issue. One that names its successor is linked from there.
func issueRecords(issues []issue) []record {
	records := lists.Map(issues, func(is issue) record { return is.record() })
	for _, is := range issues {
		for _, d := range is.Depends {
			by := slices.IndexFunc(issues, func(other issue) bool { return d.Type == supersededBy && other.ID == d.On })
			if by >= 0 {
				records[by].links = append(records[by].links, refLink{memory.Supersedes, is.ref()})
			}
		}
	}
	return records
}

// supersededBy marks a dependency on the issue that took the place of one.
const supersededBy = "supersedes"

// ref names the issue as the source of a memory.
func (is *issue) ref() string {
	if is.Key != "" {
		return "beads:memory-" + is.Key
	}
	return "beads:" + is.ID
}

// record is the issue as a memory of its own.
func (is *issue) record() record {
	if is.Key != "" {
		r := said(is.ref(), is.Value)
		r.Type = string(memory.Learned)
		return r
	}
	r := named(is.ref(), is.Title, is.text())
	r.Type, r.Date, r.tags, r.gone = is.kind(), dateOf(is.Created), is.Labels, is.Status == "tombstone"
	for _, d := range is.Depends {
		rel := map[string]memory.Rel{
			"blocks": memory.BuildsOn, "conditional-blocks": memory.BuildsOn, "waits-for": memory.BuildsOn,
			"parent-child": memory.StepOf, "discovered-from": memory.DerivedFrom,
		}[d.Type]
		if d.Type != supersededBy {
			r.links = append(r.links, refLink{cmp.Or(rel, memory.RelatesTo), "beads:" + d.On})
		}
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
