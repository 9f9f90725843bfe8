package session

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSkipped(t *testing.T) {
	var k Skipped
	if k.Any() || k.Types(0) != "" {
		t.Errorf("nothing is skipped, and it says %q", k.Types(0))
	}
	k.Add(Skipped{Broken: 2, Unknown: map[string]int{"frob": 400, "content hologram": 3, "blip": 12}})
	k.Add(Skipped{TooLong: 1, Unknown: map[string]int{"frob": 12}})
	if k.Records() != 427 || !k.Any() || k.Types(2) != "frob 412, blip 12, 1 more types" {
		t.Errorf("%d records: %q", k.Records(), k.Types(2))
	}
	s, err := Parse(Format(&Session{Agent: "a", ID: "s", Skipped: k, Private: 77}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(k, s.Skipped); diff != "" || s.Private != 77 {
		t.Errorf("written and read again, private %d (-want +got):\n%s", s.Private, diff)
	}
}
