package capture

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/transcript"
)

// TestAreas: a memory is tagged with the areas of work that its title speaks of, or that its
// files belong to.
func TestAreas(t *testing.T) {
	for _, c := range []struct {
		title string
		files []string
		want  []string
	}{
		{"The e2e tests need a database of their own", nil, []string{"database", "testing"}},
		{"Releases are built on two runners, and logs are kept", nil, []string{"ci", "release"}},
		{"Readings end at midnight", []string{"reader/reader_test.go"}, []string{"testing"}},
		{"Readings end at midnight", []string{".github/workflows/nightly.yml", "docs/time.md"}, []string{"ci", "docs"}},
		{"Count the `migrations` first", nil, []string{"database"}},
		{"Readings end at midnight", []string{"reader/reader.go", "contests/a.go"}, nil},
		{"The latest reading wins", nil, nil},
	} {
		if diff := cmp.Diff(c.want, areasOf(c.title, c.files)); diff != "" {
			t.Errorf("%s %v: (-want +got)\n%s", c.title, c.files, diff)
		}
	}
	for _, a := range areas() {
		for _, word := range a.words {
			if diff := cmp.Diff([]string{word}, prose.Words(word)); diff != "" {
				t.Errorf("no title has %q as one word: %s", word, diff)
			}
		}
	}
	res := capture(t, talk([3]string{"0s", "[MEMORY: gotcha] The linter is slow on the first run of a day", "a.go"}), Options{Agent: transcript.ClaudeCode})
	if diff := cmp.Diff([]string{"lint", "performance"}, res.held()[0].Tags); diff != "" {
		t.Error(diff)
	}
}
