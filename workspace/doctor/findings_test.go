package doctor

import (
	"testing"
)

func TestCaseClashes(t *testing.T) {
	got := caseClashes([]string{"a/B.md", "a/b.md", "a/c.md", "A/C.md", "a/c.md"})
	if len(got) != 2 || got[0].Path != "a/b.md" || got[1].Path != "A/C.md" || got[0].Rule != "case" {
		t.Errorf("%+v", got)
	}
}
