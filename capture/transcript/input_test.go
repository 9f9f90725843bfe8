package transcript

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPatchFiles(t *testing.T) {
	got := Patched(
		"*** Begin Patch\n*** Add File: a.md\n+one\n+two\n*** Update File: b.go\n*** Move to: c.go\n@@\n-x\n+y\n*** Delete File: d\n*** End Patch\n",
	)
	want := []PatchedFile{{"a.md", true, "one\ntwo\n", ""}, {"c.go", false, "y\n", "x\n"}, {"d", false, "", ""}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
