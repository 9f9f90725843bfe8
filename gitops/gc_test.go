package gitops

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// TestGCTookPartAway has a gc at work while three changes are committed, and
// lets it take away some of their objects: those that it met after it had
// looked at the refs. All three were acknowledged.
func TestGCTookPartAway(t *testing.T) {
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		name  string
		more  bool     // another change comes after
		taken []string // what is gone, of "journal~N"
	}{
		{"nothing", false, nil},
		{"first commit", true, []string{"~2"}},
		{"first tree", false, []string{"~2^{tree}"}},
		{"first memory", false, []string{"~2:" + memoryPath("two-0000002")}},
		{"two commits", true, []string{"~1", "~2"}},
		{"all", true, []string{"", "^{tree}", "~1", "~1^{tree}", "~2", "~2^{tree}", ":" + memoryPath("four-0000004")}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			ctx, dir := context.Background(), initRepo(t)
			r := openRepo(t, dir)
			capture(t, r, change("one-0000001", "one\n"))
			pid := filepath.Join(r.CommonDir, "gc.pid")
			writeFile(t, pid, fmt.Sprintf("%d %s", os.Getpid(), host))
			for i, name := range []string{"two-0000002", "three-0000003", "four-0000004"} {
				if out := capture(t, r, change(name, fmt.Sprint(i))); out.Commit == "" || out.Spooled {
					t.Fatalf("outcome %+v", out)
				}
			}
			var taken []string
			for _, name := range tc.taken {
				taken = append(taken, r.objects.loosePath(ObjectID(runGit(t, dir, "rev-parse", JournalRef+name))))
			}
			for _, path := range taken {
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Remove(pid); err != nil {
				t.Fatal(err)
			}
			if tc.more {
				capture(t, r, change("five-0000005", "five"))
			} else if _, err := r.Journal().Repair(ctx); err != nil {
				t.Fatal(err)
			}
			got := contents(t, r)
			want := map[string]string{"one-0000001": "one\n", "two-0000002": "0", "three-0000003": "1", "four-0000004": "2"}
			if tc.more {
				want["five-0000005"] = "five"
			}
			for name, text := range want {
				if got[memoryPath(name)] != text {
					t.Errorf("%s is %q, want %q", name, got[memoryPath(name)], text)
				}
			}
			if len(got) != len(want) {
				t.Errorf("journal %v", got)
			}
			if exists(r.Journal().spool.path) {
				t.Error("the spool was not drained")
			}
			fsck(t, dir)
		})
	}
}
