package changes

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/policy"
)

func TestWeakened(t *testing.T) {
	base := "land: branch\nprojections: branch\npii: hold\ncheck_accept: [1000000000000v11@0123456789ab]\n" +
		"reviewers: [ann@x.org]\n"
	for name, c := range map[string]struct{ now, want string }{
		"nothing": {base, ""},
		"stricter": {
			"land: manual\nprojections: branch\npii: redact\nland_max: 1\nland_confidence: 0.9\nreviewers: [ann@x.org]\n", "",
		},
		"data of people":  {strings.Replace(base, "hold", "keep", 1), "pii"},
		"lands by itself": {strings.Replace(base, "land: branch", "land: commit", 1), "land"},
		"lands unsure": {
			base + "land_confidence: 0.1\nland_max: 50\nland_branch_max: 500\n",
			"land_branch_max land_confidence land_max",
		},
		"folded":   {base + "review: fold\n", "review"},
		"no pages": {strings.Replace(base, "projections: branch", "projections: off", 1), "projections"},
		"reviewer": {strings.Replace(base, "[ann@x.org]", "[ann@x.org, '@bob']", 1), "reviewers"},
		"fewer":    {strings.Replace(base, "[ann@x.org]", "[]", 1), "reviewers"},
		"accepts":  {strings.Replace(base, "ab]", "ab, 2000000000000v11@0123456789ab]", 1), "check_accept"},
		"gone":     {"", "land reviewers"},
	} {
		was, err := policy.Parse([]byte(base))
		if err != nil {
			t.Fatal(err)
		}
		now, err := policy.Parse([]byte(c.now))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(weakened(&was, &now))), " "); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestSettingChanges: what a file says is listed, also where the file as a whole cannot be used.
func TestSettingChanges(t *testing.T) {
	side := func(text string) *policySide {
		return &policySide{
			files: map[string][]byte{workspace.ConfigPath: []byte(text)},
			blobs: map[string]string{workspace.ConfigPath: text},
		}
	}
	var got []string
	for _, p := range settingChanges(side("land: manual\n"), side("land: manual\npii: keep\nland: commit\ndecay:\n "+
		" floor: 0.2\n")) {
		got = append(got, p.Key+"="+p.From+">"+p.To)
	}
	want := []string{"=>unusable", "decay.floor=0.3>0.2", "land=manual>manual and commit", "pii=redact>keep"}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestGained(t *testing.T) {
	for line, want := range map[string]bool{
		".cortex/memories/** merge=evil":        true,
		"* -diff":                               true,
		"*.md linguist-generated":               true,
		"**/*.md filter=evil":                   true,
		"[attr]quiet -diff":                     true,
		"*-1000000.md binary":                   true,
		".c*/memories/** working-tree-encoding": true,
		"* text=auto":                           false,
		"*.md text":                             false,
		"*.go -diff":                            false,
		"docs/*.md linguist-generated":          false,
		"/README.md -diff":                      false,
		"# .cortex/** merge=evil":               false,
	} {
		out := attributeChanges(".gitattributes", nil, []byte("*.png binary\n"+line+"\n"))
		if got := len(out) > 0 && out[0].Weakens != ""; got != want {
			t.Errorf("%s: %v, want %v", line, got, want)
		}
	}
	own := templates.GitAttributes(true)
	for _, p := range attributeChanges(".gitattributes", nil, own) {
		if p.Weakens != "" {
			t.Errorf("init's own: %+v", p)
		}
	}
	if out := attributeChanges(".gitattributes", own, nil); len(out) == 0 || out[0].Weakens == "" {
		t.Errorf("without init's own: %+v", out)
	}
}
