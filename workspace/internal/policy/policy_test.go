package policy

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// shownSettings is the file of docs that shows every setting at its default.
func shownSettings(t testing.TB) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "config.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestParse(t *testing.T) {
	got, err := Parse(shownSettings(t))
	if err != nil {
		t.Fatalf("the default file does not parse: %v", err)
	}
	want := Default()
	got.Decay.HalfLifeDays = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("the default file says other than the defaults (-code +file):\n%s", diff)
	}
	for _, bad := range []string{
		"land: maybe", "land_confidence: 2", "land_max: -1", "land_branch_max: 1001", "projections: here", "brief_tokens: 1", "pii: yes",
		"editor: vi", "decay: {half_life_days: {gossip: 3}}", "a: &x 1\nb: *x",
		"land_confidence: .nan", "decay: {half_life_days: {fix: .nan}}", "decay: {recall_boost: .nan}", "decay: {floor: .nan}", "decay: {grace_days: .nan}", "decay: {grace_days: 1e9}",
		"gc: {share: 1.5}", "gc: {after_days: -1}", "gc: {after_days: .nan}", "priority: {fix: 11}", "priority: {gossip: 5}", "rank: {recalls: 2}", "rank: {speed: 1}",
		"brief: {decisions: -1}", "brief: {lines: {fix: 5}}", "brief: {reverify_lines: 0}", "- 1", "land: [",
	} {
		c, err := Parse([]byte(bad))
		if err == nil {
			t.Errorf("%q: want an error", bad)
		}
		if diff := cmp.Diff(Default(), c); diff != "" {
			t.Errorf("%q: an unusable file must leave the defaults:\n%s", bad, diff)
		}
	}
}

func TestConfigErrorsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"land: commit\neditor: vi\n":         `line 2: unknown key "editor"`,
		"editor: vi\npager: less\n":          `line 1: unknown key "editor"; line 2: unknown key "pager"`,
		"decay:\n  speed: 3\n":               `line 2: unknown key "speed"`,
		"land: commit\nland_max: many\n":     "line 2: cannot unmarshal !!str `many` into int",
		"land: &x commit\nprojections: *x\n": "line 1: YAML anchors and aliases are not allowed",
		"land: perhaps\n":                    `land: "perhaps" is not commit, branch or manual`,
	} {
		_, err := Parse([]byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// FuzzConfig holds that settings are read whole or not at all.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{
		string(shownSettings(f)), "", "---\nland: manual\n", "land: |\n  manual\n", "land: manual\r\n", "decay: {floor: 0.1, floor: 0.2}\n",
		"decay:\n  half_life_days: {fix: 1, plan: 2}\n  floor: 0\nland: branch", "recall:\n  - start\n", "format: 99\n", "decay:\n", "{}",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Parse([]byte(text))
		if err == nil {
			if err := c.check(); err != nil {
				t.Fatal(err)
			}
			return
		}
		if diff := cmp.Diff(Default(), c); diff != "" {
			t.Fatalf("an unusable file must leave the defaults:\n%s", diff)
		}
	})
}

func BenchmarkParse(b *testing.B) {
	for b.Loop() {
		if _, err := Parse(shownSettings(b)); err != nil {
			b.Fatal(err)
		}
	}
}
