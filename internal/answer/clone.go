package answer

import (
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/changes"
	"github.com/git-cortex/cortex/workspace/doctor"
	"github.com/git-cortex/cortex/workspace/setup"
	"github.com/git-cortex/cortex/workspace/tiers"
)

// Pages are the generated pages, and whether all of them are up to date.
type Pages struct {
	Current     bool   `json:"current"`
	Pages       []page `json:"pages"`
	Projections string `json:"projections"`
}

type page struct {
	Current bool   `json:"current"`
	Missing bool   `json:"missing"`
	Path    string `json:"path"`
	Written bool   `json:"written"`
}

// NewPages returns pages as they are shown, under the team's setting of where
// they are kept.
func NewPages(pages []workspace.Page, projections string) Pages {
	out := Pages{Current: true, Pages: []page{}, Projections: projections}
	for _, p := range pages {
		out.Current = out.Current && (p.Current || p.Written)
		out.Pages = append(out.Pages, page{Current: p.Current, Missing: p.Missing, Path: p.Path, Written: p.Written})
	}
	return out
}

// Findings lists the findings of a check of all memories, with the view that was
// checked.
type Findings struct {
	Findings []doctor.Finding  `json:"findings"`
	Unproven []doctor.Unproven `json:"unproven"`
	// Unreviewed are memory files of the range that none of the team's reviewers committed.
	Unreviewed []changes.Unreviewed `json:"unreviewed"`
	Idle       []string             `json:"idle"` // guards that do nothing here until a person vouches for them
	View       workspace.ViewShape  `json:"view"`
}

// NewFindings returns findings as they are shown.
func NewFindings(r *doctor.Report, unreviewed []changes.Unreviewed) Findings {
	return Findings{
		Findings: list(r.Findings), Unproven: list(r.Unproven), Unreviewed: list(unreviewed), Idle: list(r.Idle),
		View: r.View.Shape(),
	}
}

// Checks lists the results of checking a clone, and counts the problems that are left.
type Checks struct {
	Checks   []workspace.Check `json:"checks"`
	Problems int               `json:"problems"`
}

// NewChecks returns checks as they are shown.
func NewChecks(checks []workspace.Check) Checks {
	out := Checks{Checks: list(checks)}
	for _, c := range checks {
		if !c.OK && !c.Fixed {
			out.Problems++
		}
	}
	return out
}

// Steps lists the steps that setting up or removing took, or in a dry run would take.
type Steps struct {
	DryRun      bool         `json:"dry_run"`
	Projections string       `json:"projections,omitempty"` // of a set-up only
	Steps       []setup.Step `json:"steps"`

	Agents  []setup.SetUp           `json:"agents,omitzero"`   // of a set-up: what was written for each, [] for none
	Earlier *agents.EarlierSessions `json:"earlier,omitempty"` // of a set-up: what backfill would read, if there is any
}

// NewSteps returns steps as they are shown.
func NewSteps(steps []setup.Step, dryRun bool, projections string) Steps {
	return Steps{DryRun: dryRun, Projections: projections, Steps: list(steps)}
}

// Indexed gives the number of memories in an index that was built, and the view that
// it was built from.
type Indexed struct {
	Indexed int                 `json:"indexed"`
	View    workspace.ViewShape `json:"view"`
}

// NewIndexed returns what is said of an index that was built for v.
func NewIndexed(v *workspace.View) Indexed { return Indexed{Indexed: len(v.Items), View: v.Shape()} }

// IndexState lists the problems that were found by reading every file of an index.
type IndexState struct {
	OK       bool            `json:"ok"`
	Problems []index.Problem `json:"problems"`
}

// NewIndexState returns problems as they are shown.
func NewIndexState(problems []index.Problem) IndexState {
	return IndexState{OK: len(problems) == 0, Problems: list(problems)}
}

// Upgraded names a tier that was switched on, what was done for it, and what is left to a person.
type Upgraded struct {
	From   int          `json:"from"`
	To     int          `json:"to"`
	Tier   *tiers.Tier  `json:"tier"` // that was switched on; null at the highest
	DryRun bool         `json:"dry_run"`
	Steps  []setup.Step `json:"steps"`
	Left   []string     `json:"left"` // what a person has to do
}
