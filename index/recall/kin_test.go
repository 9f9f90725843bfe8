package recall

import (
	"slices"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

// TestKin: several memories explain one error; those about one matter are said once.
func TestKin(t *testing.T) {
	const key = "error: item # failed"
	left := made("Leftover nests in tmp/nests/ make the pre-commit tests fail", "Remove the folder before the commit.", key)
	again := made("Tests of nests in tmp/nests/ block the pre-commit hook", "Delete the folder, then commit.", key)
	other := made("`item 3 failed` is printed by a limiter that works", "Read on for the reason.", key)
	table := library(t, left, again, other)
	hits := table.Find(Moment{Kind: Error, Command: "git commit -m x", Error: "Item 3 failed", Triggers: []string{key}}, Options{All: true})
	var said, kin []string
	for _, h := range hits {
		switch {
		case h.Speaks:
			said = append(said, string(h.ID))
		case h.Left == LeftKin:
			kin = append(kin, string(h.ID))
		}
	}
	if len(said) != 2 || !slices.Contains(said, string(other.ID)) || len(kin) != 1 {
		t.Errorf("said %v, left as kin %v", said, kin)
	}
}

// TestPlansAreNotTold: what is to be done is in the briefing, and at no moment.
func TestPlansAreNotTold(t *testing.T) {
	plan := made("Poll the gauges of the outer harbour by day", "First the north pier, then the outer harbour.")
	plan.Type = memory.Plan
	hits := library(t, plan).Find(Moment{Kind: Prompt, Prompt: "poll the gauges of the outer harbour and the north pier"}, Options{All: true})
	if len(hits) == 0 || hits[0].Speaks || hits[0].Left != LeftPlan {
		t.Errorf("found %+v", hits)
	}
}
