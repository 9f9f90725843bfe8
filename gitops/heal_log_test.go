package gitops

import (
	"context"
	"fmt"
	"os"
	"testing"
)

// TestForgetLostChain loses a state in the middle. Those after it can be read,
// but what they came from is gone: git fsck complains of them as well.
func TestForgetLostChain(t *testing.T) {
	ctx, dir := context.Background(), initRepo(t)
	r := openRepo(t, dir)
	for i, name := range []string{"one-0000001", "two-0000002", "three-0000003", "four-0000004"} {
		capture(t, r, change(name, fmt.Sprint(i)))
	}
	lost := []ObjectID{}
	for i := range 3 {
		lost = append(lost, ObjectID(runGit(t, dir, "rev-parse", fmt.Sprintf("%s~%d", JournalRef, i))))
	}
	if err := os.Remove(r.objects.loosePath(lost[2])); err != nil {
		t.Fatal(err)
	}
	sound := runGit(t, dir, "rev-parse", JournalRef+"@{3}")
	runGit(t, dir, "update-ref", JournalRef, sound)
	r.Journal().forgetLost(ctx, lost, len(lost))
	log, err := os.ReadFile(r.Journal().ref.log())
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range logStates(string(log)) {
		if string(id) != sound {
			t.Errorf("the log still names %s", id)
		}
	}
	fsck(t, dir)
}
