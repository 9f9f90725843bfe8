package policy

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// documented is a setting as docs/settings.md describes it.
type documented struct{ values, standard string }

// documentedSettings are the settings of config.yaml that docs/settings.md lists, by key.
func documentedSettings(t *testing.T) map[string]documented {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "settings.md"))
	if err != nil {
		t.Fatal(err)
	}
	team, _, _ := strings.Cut(string(data), "\n| key | value | default |")
	out := map[string]documented{}
	for line := range strings.Lines(team) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), " | ")
		if len(cells) != 3 || !strings.HasPrefix(cells[0], " `") {
			continue
		}
		named, _, _ := strings.Cut(cells[0], "`:")
		keys := regexp.MustCompile("[a-z][a-z_.]+").FindAllString(named, -1)
		standards, values := strings.Split(cells[2], ", "), strings.Split(cells[1], "; ")
		for i, key := range keys {
			d := documented{strings.TrimSpace(cells[1]), strings.TrimSpace(cells[2])}
			if len(standards) == len(keys) {
				d.standard = strings.TrimSpace(standards[i])
			}
			if len(values) == len(keys) {
				d.values = strings.TrimSpace(values[i])
			}
			out[key] = d
		}
	}
	return out
}

// TestSettingsDocument: docs/settings.md has each setting, with its default and its bounds
// or words.
func TestSettingsDocument(t *testing.T) {
	said := documentedSettings(t)
	c := Default()
	for _, n := range c.numbers() {
		if strings.HasPrefix(n.key, "priority.") || strings.HasPrefix(n.key, "brief.lines.") || strings.HasPrefix(n.key, "decay.half_life_days.") {
			continue // of types, which have a row together
		}
		d, ok := said[n.key]
		if !ok {
			t.Errorf("docs/settings.md does not list %s", n.key)
			continue
		}
		if d.standard != decimal(n.value) {
			t.Errorf("docs/settings.md: the default of %s is %s, not %s", n.key, decimal(n.value), d.standard)
		}
		bounds := fmt.Sprintf("%s to %s", decimal(n.least), decimal(n.most))
		if plain := strings.ReplaceAll(d.values, " (never)", ""); plain != "numbers" && plain != bounds {
			t.Errorf("docs/settings.md: %s may be %s, not %s", n.key, bounds, d.values)
		}
	}
	for _, choice := range c.choices() {
		d, ok := said[choice.key]
		if !ok {
			t.Errorf("docs/settings.md does not list %s", choice.key)
		}
		for _, word := range choice.of {
			if !strings.Contains(d.values, "`"+word+"`") {
				t.Errorf("docs/settings.md: %s may be %s", choice.key, word)
			}
		}
		set := choice.key == "recall" || choice.key == "projections" // all of them; set by cortex init
		if !set && d.standard != "`"+choice.value+"`" {
			t.Errorf("docs/settings.md: the default of %s is %s, not %s", choice.key, choice.value, d.standard)
		}
	}
}
