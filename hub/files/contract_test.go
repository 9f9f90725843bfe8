package files_test

import (
	"testing"

	"github.com/git-cortex/cortex/hub/files"
	"github.com/git-cortex/cortex/internal/hubtest"
)

// TestContract: the store answers as `cortex search` does, whatever is granted.
func TestContract(t *testing.T) {
	c := hubtest.New(29, 14, 40)
	s, err := files.Open(t.TempDir(), c.Read, hubtest.Clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	c.Fill(t, s)
	c.Contract(t, s)
}
