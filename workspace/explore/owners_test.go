package explore

import (
	"testing"

	"github.com/git-cortex/cortex/workspace/internal/policy"
)

// TestOwners: the last line that matches a file says whose it is, by the rules of hosts.
func TestOwners(t *testing.T) {
	lines := ownersIn("# who reviews what\n* @lead\n*.sql @data # tables\n/store/ @Ann dba@example.org\n" +
		"store/vendor/\ndocs/* @writers\napps/**/main.go @bo\n[Section][2] @nobody\n^[More]\nREADME.md @ann\n")
	for file, want := range map[string]string{
		"main.go": "@lead", "db/up.sql": "@data", "store/log.go": "@ann", "store/a/b.go": "dba@example.org",
		"docs/api.md": "@writers", "docs/a/b.md": "@lead", "apps/x/y/main.go": "@bo", "apps/main.go": "@bo",
		"a/README.md": "@ann", "other/store/x.go": "@lead", "store/up.sql": "@ann",
	} {
		if !isOwned(lines, file, []string{want}) {
			t.Errorf("%s is not of %s", file, want)
		}
	}
	if isOwned(lines, "store/vendor/x.go", []string{"@ann", "@lead"}) {
		t.Error("a line without owners leaves the earlier ones")
	}
	if got := policy.Names("12+ann@users.noreply.github.com"); len(got) != 2 || got[1] != "@ann" {
		t.Errorf("%v", got)
	}
}
