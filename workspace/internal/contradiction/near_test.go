package contradiction_test

import (
	"slices"
	"testing"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/contradiction"
)

// TestNear: what shares rare words, files or entities is near, whatever the type; what shares none is not there.
func TestNear(t *testing.T) {
	all := []*memory.Memory{
		titled(t, "decision: The gauges report over the radio link once a minute", 1),
		titled(t, "preference: Gauge readings are kept for a year", 2),
		titled(t, "decision: Tariffs are signed off by the office", 3),
		titled(t, "rejected: A report of every tide", 4),
	}
	all[2].Files, all[3].Files = []string{"tariff/sign.go"}, []string{"tariff/sign.go"}
	near := contradiction.NewNear(all)
	if got := near.Of(0, 5); !slices.Equal(got, []int{3, 1}) && !slices.Equal(got, []int{1, 3}) {
		t.Errorf("near the first: %v", got)
	}
	if got := near.Of(2, 1); !slices.Equal(got, []int{3}) {
		t.Errorf("near the third: %v", got)
	}
}
