package notices_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/workspace/internal/notices"
)

func TestTake(t *testing.T) {
	var l notices.List
	l.Add("one %d", 1)
	l.Add("one 1")
	l.Add("two")
	if diff := cmp.Diff([]string{"one 1", "two"}, l.Take()); diff != "" {
		t.Error(diff)
	}
	l.Add("two")
	if diff := cmp.Diff([]string{"two"}, l.Take()); diff != "" {
		t.Error(diff)
	}
}
