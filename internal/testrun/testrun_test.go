package testrun

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSample(t *testing.T) {
	t.Setenv("CORTEX_NIGHTLY", "")
	cases := []int{0, 1, 2, 3, 4, 5, 6, 7}
	for mode, want := range map[string][]int{"": {0, 2, 5}, "full": cases} {
		t.Setenv("CORTEX_TESTS", mode)
		if diff := cmp.Diff(want, Sample(3, cases)); diff != "" {
			t.Errorf("CORTEX_TESTS=%s (-want +got):\n%s", mode, diff)
		}
		if diff := cmp.Diff(cases, Sample(8, cases)); diff != "" {
			t.Errorf("CORTEX_TESTS=%s (-want +got):\n%s", mode, diff)
		}
	}
	t.Setenv("CORTEX_NIGHTLY", "1")
	if diff := cmp.Diff(cases, Sample(3, cases)); diff != "" {
		t.Errorf("CORTEX_NIGHTLY=1 (-want +got):\n%s", diff)
	}
}

// skipper notes what it is told instead of ending a test.
type skipper struct{ said []string }

func (*skipper) Helper() {}

func (s *skipper) Skipf(format string, args ...any) {
	s.said = append(s.said, fmt.Sprintf(format, args...))
}

func TestFullOnly(t *testing.T) {
	for _, tc := range []struct {
		nightly, tests string
		want           []string
	}{
		{"", "", []string{"a flood: runs with CORTEX_TESTS=full"}},
		{"", "full", nil},
		{"1", "", nil},
	} {
		t.Setenv("CORTEX_NIGHTLY", tc.nightly)
		t.Setenv("CORTEX_TESTS", tc.tests)
		s := new(skipper)
		FullOnly(s, "a flood")
		if diff := cmp.Diff(tc.want, s.said); diff != "" {
			t.Errorf("CORTEX_NIGHTLY=%s CORTEX_TESTS=%s (-want +got):\n%s", tc.nightly, tc.tests, diff)
		}
	}
}

type run func() int

func (r run) Run() int { return r() }

func TestInMemory(t *testing.T) {
	t.Setenv("CORTEX_NIGHTLY", "")
	t.Setenv("CORTEX_TESTS", "")
	t.Setenv("TMPDIR", "")
	var inside string
	code := InMemory(run(func() int {
		inside = os.TempDir()
		if err := os.WriteFile(filepath.Join(inside, "left"), nil, 0o666); usable("/dev/shm") && err != nil {
			t.Error(err)
		}
		return 7
	})).Run()
	if code != 7 {
		t.Errorf("exit code %d", code)
	}
	if !usable("/dev/shm") {
		return
	}
	if !strings.HasPrefix(inside, "/dev/shm/"+prefix) {
		t.Errorf("the temporary folder is %s", inside)
	}
	if _, err := os.Stat(inside); !os.IsNotExist(err) {
		t.Errorf("%s is left: %v", inside, err)
	}
}

// TestOnDisk: TMPDIR and a full run decide otherwise.
func TestOnDisk(t *testing.T) {
	t.Setenv("CORTEX_NIGHTLY", "")
	elsewhere := t.TempDir()
	for _, env := range [][2]string{{"", elsewhere}, {"full", ""}} {
		t.Setenv("CORTEX_TESTS", env[0])
		t.Setenv("TMPDIR", env[1])
		want, got := os.TempDir(), ""
		InMemory(run(func() int { got = os.TempDir(); return 0 })).Run()
		if got != want {
			t.Errorf("CORTEX_TESTS=%s, TMPDIR=%s: %s, want %s", env[0], env[1], got, want)
		}
	}
}
