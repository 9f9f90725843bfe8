package workspace

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace/internal/plainyaml"
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
		"land: maybe", "land_confidence: 2", "land_max: -1", "land_branch_max: 1001", "projections: here", "brief_tokens: 1", "pii: yes",
		"editor: vi", "decay: {half_life_days: {gossip: 3}}", "a: &x 1\nb: *x",
		"land_confidence: .nan", "decay: {half_life_days: {fix: .nan}}", "decay: {recall_boost: .nan}", "decay: {floor: .nan}", "decay: {grace_days: .nan}", "decay: {grace_days: 1e9}",
		"gc: {share: 1.5}", "gc: {after_days: -1}", "gc: {after_days: .nan}", "priority: {fix: 11}", "priority: {gossip: 5}", "rank: {recalls: 2}", "rank: {speed: 1}",
		"brief: {decisions: -1}", "brief: {lines: {fix: 5}}", "brief: {reverify_lines: 0}", "- 1", "land: [",
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

func TestConfigErrorsNameTheLine(t *testing.T) {
	for text, want := range map[string]string{
		"land: commit\neditor: vi\n":         `line 2: unknown key "editor"`,
		"editor: vi\npager: less\n":          `line 1: unknown key "editor"; line 2: unknown key "pager"`,
		"decay:\n  speed: 3\n":               `line 2: unknown key "speed"`,
		"land: commit\nland_max: many\n":     "line 2: cannot unmarshal !!str `many` into int",
		"land: &x commit\nprojections: *x\n": "line 1: YAML anchors and aliases are not allowed",
		"land: perhaps\n":                    `land: "perhaps" is not commit, branch or manual`,
	} {
		_, err := ParseConfig([]byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%q: got %v, want %s", text, err, want)
		}
	}
}

// plainly are settings, each with whether they are read without the YAML library.
func plainly() map[string]bool {
	file := string(templates.Config())
	return map[string]bool{
		file: true, strings.TrimSuffix(file, "\n"): true, "": true, "# nothing\n": true,
		strings.Replace(file, "projections: branch", "projections: off", 1):                  true,
		strings.Replace(file, "land: commit", "land:   manual   # by hand", 1):               true,
		strings.Replace(file, "grace_days: 14", "grace_days: 7.5", 1):                        true,
		"decay: {floor: 0.25, doubling: 3}\n":                                                true,
		"decay:\n\n  # half\n  half_life_days: { fix: 1,plan: 2 }\n  floor: 0\nland: branch": true,
		"recall: [start,  prompt]\n":                                                         true,

		"land: 'manual'\n": false, "land: \"manual\"\n": false, "land: !!str manual\n": false, "---\nland: manual\n": false,
		"land: manual\nland: branch\n": false, "decay: {floor: 0.1, floor: 0.2}\n": false, "decay:\n  floor: 0\ndecay:\n  central: 0\n": false,
		"decay:\n": false, "decay: {}\n": false, "recall: []\n": false, "recall:\n  - start\n": false, "recall: [start,]\n": false,
		"decay:\n    floor: 0.2\n": false, "  land: manual\n": false, "land: manual\n  floor: 0\n": false, "land:manual\n": false,
		"land_max: 010\n": false, "land_max: 1_0\n": false, "land_max: 0x1\n": false, "land_max: 3.0\n": false, "decay: {floor: .2}\n": false,
		"brief_tokens: 9999999999\n": false, "land: null\n": false, "land: manual#x\n": false, "land: manual\r\n": false, "land:\tmanual\n": false,
		"land: |\n  manual\n": false, "land: &a manual\n": false, "? land\n: manual\n": false, "decay: {half_life_days: {fix: 3}}\n": false,
		"decay: {floor:0.2}\n": false, "# é\nland: manual\n": false, "format: 99\n": true, "land_max: 5000\n": true, ",inline: 3\n": false, "editor: vi\n": false,
	}
}

// TestPlainConfig holds which settings are read without the YAML library.
func TestPlainConfig(t *testing.T) {
	for text, want := range plainly() {
		c := DefaultConfig()
		if got := plainyaml.Decode(text, &c); got != want {
			t.Errorf("%q is plain: %v, want %v", text, got, want)
		}
	}
}

// FuzzConfig holds that what is read without the YAML library is what it reads.
func FuzzConfig(f *testing.F) {
	for text := range plainly() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := ParseConfig([]byte(text))
		want, wantErr := parseYAML([]byte(text))
		if len(text) > maxConfig {
			return
		}
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%v, the library says %v", err, wantErr)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("not what the library reads (-library +got):\n%s", diff)
		}
	})
}

func BenchmarkParseConfig(b *testing.B) {
	for b.Loop() {
		if _, err := ParseConfig(templates.Config()); err != nil {
			b.Fatal(err)
		}
	}
}
