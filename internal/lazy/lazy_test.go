package lazy_test

import (
	"testing"

	"github.com/git-cortex/cortex/internal/lazy"
)

func TestValueIsMadeOnce(t *testing.T) {
	calls := 0
	value := lazy.Value(func() int { calls++; return 7 })
	if calls != 0 {
		t.Error("made before it was asked for")
	}
	if a, b := value(), value(); a != 7 || b != 7 || calls != 1 {
		t.Errorf("%d and %d after %d calls", a, b, calls)
	}
}

func TestPattern(t *testing.T) {
	digits := lazy.Pattern(`^[0-9]+$`)
	if first, second := digits(), digits(); first != second || !first.MatchString("42") {
		t.Error("one compiled expression that matches 42 was expected")
	}
	malformed := lazy.Pattern(`(`)
	defer func() {
		if recover() == nil {
			t.Error("no panic for a malformed expression")
		}
	}()
	malformed()
}
