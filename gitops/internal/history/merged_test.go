package history

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLeftIn(t *testing.T) {
	log := strings.ReplaceAll(strings.Join([]string{
		"HEAD@{0}|9||checkout: moving from side to main",
		"HEAD@{0}|8||checkout: moving from main to side", // where it began and stayed
		"HEAD@{0}|8||merge feat: Fast-forward",
		"HEAD@{0}|5||checkout: moving from feat to main",
		"HEAD@{0}|7||commit: two",
		"HEAD@{0}|6||commit: one",
		"HEAD@{0}|5||checkout: moving from main to feat",
		"HEAD@{0}|5||commit (initial): start",
	}, "\n"), "|", "\x00")
	want := map[string]Left{"feat": {Tip: "7", Own: true}, "side": {Tip: "8"}, "main": {Tip: "8"}}
	if diff := cmp.Diff(want, leftIn(notedIn(log))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
