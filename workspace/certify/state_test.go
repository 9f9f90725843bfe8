package certify

import (
	"slices"
	"testing"

	"github.com/git-cortex/cortex/memory"
)

func TestIDsNamed(t *testing.T) {
	text := "---\n<<<<<<< HEAD\nid: 1111111111111111\n=======\nid:   2222222222222222\n>>>>>>> x\nid:" +
		" 1111111111111111\nid: short\n id: 3333333333333333\n"
	if got := idsNamed([]byte(text)); !slices.Equal(got, []memory.ID{"1111111111111111", "2222222222222222"}) {
		t.Errorf("%v", got)
	}
}
