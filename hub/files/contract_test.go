package files_test

import (
	"testing"

	"github.com/git-cortex/cortex/hub/files"
	"github.com/git-cortex/cortex/internal/hubtest"
	"github.com/git-cortex/cortex/internal/testrun"
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

// TestLeaks: nothing that a caller can ask tells of a repository that they may not read; and a store that looks
// into all repositories is seen.
func TestLeaks(t *testing.T) {
	c := hubtest.New(30, 14, 12)
	s, err := files.Open(t.TempDir(), c.Read, hubtest.Clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	c.Fill(t, s)
	leaks := hubtest.Leaks{Corpus: c, Store: s}
	for _, wrong := range leaks.Find(t, testrun.Rounds(100, 1000)) {
		t.Error(wrong)
	}
	wide := hubtest.Leaks{Corpus: c, Store: hubtest.Wide{Store: s, All: c.Repos}}
	if wide.Find(t, 100) == nil {
		t.Error("a store that looks into all repositories is not seen")
	}
}
