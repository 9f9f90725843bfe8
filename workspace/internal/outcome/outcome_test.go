package outcome

import (
	"context"
	"errors"
	"testing"
)

// TestSettles: nothing settles but a transcript that was read, with nothing left to do.
func TestSettles(t *testing.T) {
	failed := errors.New("git ended with 128")
	for _, kind := range []Kind{"", Read, Told, Done, Nothing, NotSetUp, Nested, Elsewhere, Spooled, Unknown, Refused, Late, Failed} {
		o := Outcome{Kind: kind}.Known(t.Context())
		if o.Settles() != (kind == Read) {
			t.Errorf("%q settles: %v", kind, o.Settles())
		}
		if o.And(failed).Settles() {
			t.Errorf("%q settles although something failed", kind)
		}
	}
}

func TestAnd(t *testing.T) {
	one, two := errors.New("one"), errors.New("two")
	if o := Of(Read, nil).And(nil); o != (Outcome{Kind: Read}) {
		t.Errorf("nothing failed: %v", o)
	}
	if o := Of(Read, one).And(two); o.Kind != Failed || !errors.Is(o.Err, one) || !errors.Is(o.Err, two) {
		t.Errorf("two things failed: %v", o)
	}
	if o := Because(Unknown, one).And(two); o.Kind != Unknown {
		t.Errorf("what was unknown is %v", o)
	}
}

func TestKnown(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	failed := errors.New("signal: killed")
	for _, c := range []struct {
		over bool // its time
		o    Outcome
		want Kind
	}{
		{false, Outcome{}, Failed},
		{false, Of(Read, failed), Failed},
		{false, Of(Read, context.DeadlineExceeded), Late},
		{true, Of(Read, nil), Read},
		{true, Of(Read, failed), Late},
		{true, Because(Unknown, failed), Late},
	} {
		ctx := t.Context()
		if c.over {
			ctx = ended
		}
		if got := c.o.Known(ctx); got.Kind != c.want {
			t.Errorf("%v is %v, not %s", c.o, got, c.want)
		}
	}
}

func TestWords(t *testing.T) {
	for _, test := range []struct {
		kind  Kind
		added int
		want  string
	}{
		{Read, 0, "read up to byte 7"},
		{Read, 1, "read up to byte 7, 1 new memory"},
		{Spooled, 2, "read up to byte 7, 2 new memories, kept in the spool"},
		{Told, 0, "told what it knew"},
		{Nothing, 3, "nothing new"},
		{Late, 0, "late"},
		{NotSetUp, 0, ""},
		{"another", 0, ""},
	} {
		if got := test.kind.Words(7, test.added); got != test.want {
			t.Errorf("%s, %d: %q, want %q", test.kind, test.added, got, test.want)
		}
	}
}

func TestTrouble(t *testing.T) {
	for _, test := range []struct {
		kind      Kind
		why, want string
	}{
		{Read, "", ""},
		{Failed, "no space", "failed: no space"},
		{Unknown, "no git", "could not tell whether cortex is set up: no git"},
		{Late, "8 s", "was ended before it was done: 8 s"},
		{Spooled, "locked", "could not write the journal, and kept what it read in the spool"},
	} {
		if got := test.kind.Trouble(test.why); got != test.want {
			t.Errorf("%s: %q, want %q", test.kind, got, test.want)
		}
	}
	if (Outcome{Kind: Read}).Silent() || !(Outcome{Kind: NotSetUp}).Silent() {
		t.Error("only a hook that has nothing to do here is silent")
	}
}
