package ui

import (
	"slices"
	"testing"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// TestFacets: each value is counted, and its link narrows what was asked, or widens it
// again if it was chosen.
func TestFacets(t *testing.T) {
	entry := func(typ memory.Type, stage index.Stage, branch string, tags ...string) workspace.Entry {
		return workspace.Entry{
			Item:   index.Item{Stage: stage, Status: memory.StatusActive},
			Memory: &memory.Memory{Type: typ, Tags: tags, Source: memory.Source{Branch: branch}},
		}
	}
	all := []workspace.Entry{
		entry(memory.Fix, index.Landed, "main", "storage", "two words"),
		entry(memory.Fix, index.Pending, "topic/a", "storage"),
		entry(memory.Decision, index.Landed, "main"),
	}
	for asked, want := range map[string][]string{
		"": {
			"type fix 2 memories?type=fix", "type decision 1 memories?type=decision",
			"stage landed 2 memories?stage=landed", "stage pending 1 memories?stage=pending",
			"status active 3 memories?q=status%3Aactive", "tag storage 2 memories?q=tag%3Astorage",
			"branch main 2 memories?q=branch%3Amain", "branch topic/a 1 memories?q=branch%3Atopic%2Fa",
		},
		"type:fix": {
			"type fix 2 chosen memories", "type decision 1 memories?type=decision",
			"stage landed 2 memories?stage=landed&type=fix", "tag storage 2 memories?q=type%3Afix+tag%3Astorage",
		},
		`"full  disk" -type:plan`: {"type fix 2 memories?q=%22full++disk%22+-type%3Aplan+type%3Afix"},
		"disk tag:storage":        {"tag storage 2 chosen memories?q=disk", "branch main 2 memories?q=disk+tag%3Astorage+branch%3Amain"},
	} {
		var got []string
		for _, f := range facetsOf(all, asked) {
			for _, v := range f.Values {
				chosen := ""
				if v.Chosen {
					chosen = "chosen "
				}
				got = append(got, f.Name+" "+v.Value+" "+string('0'+rune(v.N))+" "+chosen+v.Link)
			}
		}
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("%q lacks %q: %q", asked, w, got)
			}
		}
		if asked == "" && len(got) != len(want) {
			t.Errorf("got %q", got)
		}
	}
}
