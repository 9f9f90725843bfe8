package policy_test

import (
	"testing"
	"time"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/policy"
)

// TestLandableLayers: what somebody said outright lands by itself, what else was
// measured to be worth it does from that confidence on, however low the team sets
// its own, and raw words never do.
func TestLandableLayers(t *testing.T) {
	for name, tt := range map[string]struct {
		layer  session.Layer
		sure   float64
		policy float64
		want   bool
	}{
		"by hand":              {"", 1, 0.85, true},
		"tag":                  {session.LayerTag, 1, 0.85, true},
		"answer":               {session.LayerAnswer, 0.95, 0.85, true},
		"answer, strict team":  {session.LayerAnswer, 0.95, 0.97, false},
		"curated":              {session.LayerCurated, 0.9, 0.85, true},
		"curated, lenient":     {session.LayerCurated, 0.8, 0.7, true},
		"curated, not to land": {session.LayerCurated, 0.8, 0.85, false},
		"measured":             {session.LayerPattern, 0.86, 0.85, true},
		"raw pattern":          {session.LayerPattern, 0.8, 0.5, false},
		"raw structure":        {session.LayerStructure, 0.8, 0.5, false},
		"user":                 {session.LayerUser, 1, 0, false},
		"model":                {session.LayerLLM, 1, 0, false},
		"recipe once":          {session.LayerRecipe, 0.6, 0.5, false},
		"recipe three times":   {session.LayerRecipe, 0.9, 0.85, true},
		"of a later version":   {"dream", 1, 0, false},
	} {
		m := memory.New(memory.Decision, "Gauges are read by poll", "", time.Date(2026, 11, 19, 0, 0, 0, 0, time.UTC))
		m.Confidence = tt.sure
		m.Source.Layer, m.Source.Origin = string(tt.layer), memory.OriginAgent
		team := policy.Default()
		team.LandConfidence = tt.policy
		if got := team.Sure(m); got != tt.want {
			t.Errorf("%s: %v, want %v (%s)", name, got, tt.want, team.Holds(m))
		}
	}
}
