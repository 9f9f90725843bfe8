package tiers_test

import (
	"testing"

	"github.com/git-cortex/cortex/workspace/tiers"

	"github.com/google/go-cmp/cmp"
)

func TestTiers(t *testing.T) {
	for _, c := range []struct {
		parts  []string
		level  int
		beyond []string
	}{
		{nil, 0, nil},
		{[]string{"vectors", "mcp"}, 0, []string{"vectors", "mcp"}},
		{[]string{"index"}, 1, nil},
		{[]string{"index", "vectors", "mcp", "pages"}, 1, []string{"vectors", "mcp", "pages"}},
		{[]string{"index", "vectors", "anticipation", "pages"}, 2, []string{"pages"}},
		{[]string{"index", "vectors", "anticipation", "pages", "mcp"}, 3, nil},
	} {
		parts := map[string]bool{}
		for _, name := range c.parts {
			parts[name] = true
		}
		tier, beyond := tiers.Of(parts)
		if diff := cmp.Diff(c.beyond, beyond); tier.Level != c.level || diff != "" {
			t.Errorf("%q: tier %d, %s", c.parts, tier.Level, diff)
		}
	}
	for i, tier := range tiers.All() {
		if tier.Level != i || tier.Name == "" || tier.Gives == "" || tier.Costs == "" {
			t.Errorf("%+v", tier)
		}
	}
}
