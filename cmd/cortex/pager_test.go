package main

import (
	"bytes"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
)

// TestPager: GIT_PAGER goes before PAGER, none is started where none is wanted, and one
// that stops reading or is not there fails nothing.
func TestPager(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no sh, which the pagers of this test are written for")
	}
	for name, tt := range map[string]struct {
		env  []string
		want string // what is shown; "" if no pager is started
	}{
		"of git":      {[]string{"GIT_PAGER=sed s/^/1:/", "PAGER=sed s/^/2:/"}, "1:words\n"},
		"of all":      {[]string{"PAGER=sed s/^/2:/"}, "2:words\n"},
		"with preset": {[]string{`PAGER=sed "s/^/$LESS /"`}, "FRX words\n"},
		"with own":    {[]string{`PAGER=sed "s/^/$LESS /"`, "LESS=S"}, "S words\n"},
		"off":         {[]string{"GIT_PAGER=", "PAGER=sed s/^/2:/"}, ""},
		"cat":         {[]string{"GIT_PAGER=cat"}, ""},
		"dumb":        {[]string{"PAGER=sed s/^/2:/", "TERM=dumb"}, ""},
		"not there":   {[]string{"PAGER=no-such-pager-is-here -R"}, ""},
		"blank":       {[]string{"PAGER= "}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			p := console.StartPager(append([]string{"PATH=" + os.Getenv("PATH")}, tt.env...), &out, &out)
			if p == nil {
				if tt.want != "" {
					t.Error("no pager was started")
				}
				return
			}
			if _, err := p.Write([]byte("words\n")); err != nil {
				t.Error(err)
			}
			if err := p.Close(); err != nil || out.String() != tt.want {
				t.Errorf("shown %q, %v; want %q", out.String(), err, tt.want)
			}
		})
	}
	for _, program := range []string{"true", "exit 0;", "no-such-pager-is-here | cat"} {
		var out bytes.Buffer
		p := console.StartPager([]string{"PATH=" + os.Getenv("PATH"), "PAGER=" + program}, &out, &out)
		if n, err := p.Write([]byte(strings.Repeat("words\n", 1<<16))); err != nil || n != 6<<16 {
			t.Errorf("%s: %d bytes were written, %v", program, n, err)
		}
		if err := p.Close(); err != nil {
			t.Errorf("%s: %v", program, err)
		}
	}
}

// TestPagerFails: what a pager that fails was given is shown without it, little and much;
// what a person left is not.
func TestPagerFails(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no sh, which the pagers of this test are written for")
	}
	for name, tt := range map[string]struct {
		program string
		all     bool
	}{
		"not there for the shell": {"no-such-pager-is-here; exit 127", true},
		"fails at once":           {"exit 2;", true},
		"fails at the end":        {"cat >/dev/null; exit 1", true},
		"left":                    {"head -n 1 >/dev/null", false},
		"left by a signal":        {"kill -TERM $$", false},
	} {
		t.Run(name, func(t *testing.T) {
			for _, n := range []int{1, 1 << 12, 1 << 17} {
				if n == 1<<17 && name == "fails at the end" {
					continue // it has read more than is kept
				}
				var out bytes.Buffer
				p := console.StartPager([]string{"PATH=" + os.Getenv("PATH"), "PAGER=" + tt.program}, &out, io.Discard)
				for range n {
					if _, err := p.Write([]byte("words\n")); err != nil {
						t.Fatal(err)
					}
				}
				if err := p.Close(); err != nil {
					t.Fatal(err)
				}
				want := ""
				if tt.all {
					want = strings.Repeat("words\n", n)
				}
				if out.String() != want {
					t.Errorf("%d lines: %d bytes are shown, want %d", n, out.Len(), len(want))
				}
			}
		})
	}
}
