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
