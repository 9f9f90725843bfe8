package workspace

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/templates"
)

func TestParseConfig(t *testing.T) {
	got, err := ParseConfig(templates.Config())
	if err != nil {
		t.Fatalf("the default file does not parse: %v", err)
	}
	want := DefaultConfig()
	got.Decay.HalfLifeDays = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the default file says other than the defaults (-code +file):\n%s", diff)
	}
	for _, bad := range []string{
		"land: maybe", "land_confidence: 2", "land_max: -1", "projections: here", "brief_tokens: 1",
		"editor: vi", "decay: {half_life_days: {gossip: 3}}", "a: &x 1\nb: *x", "- 1", "land: [",
	} {
		c, err := ParseConfig([]byte(bad))
		if err == nil {
			t.Errorf("%q: want an error", bad)
		}
		if diff := cmp.Diff(DefaultConfig(), c); diff != "" {
			t.Errorf("%q: an unusable file must leave the defaults:\n%s", bad, diff)
		}
	}
}
