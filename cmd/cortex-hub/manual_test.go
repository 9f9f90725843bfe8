package main

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/internal/manual"
)

var updateManual = flag.Bool("update", false, "write what is generated from the commands anew")

// TestManual: the man pages and the completions are what the commands say of themselves. After a change of a command:
//
//	go test ./cmd/cortex-hub -run TestManual -update
func TestManual(t *testing.T) {
	want := manual.Files(t, newRoot(&program{}), release)
	manual.Hold(t, filepath.Join("..", ".."), want, regexp.MustCompile(`^_?cortex-hub($|\.|-)`), *updateManual)
}

// TestCommandsExplainThemselves: each has a text, an example and a place in docs/hub.md, on lines of 80 columns.
func TestCommandsExplainThemselves(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "hub.md"))
	if err != nil {
		t.Fatal(err)
	}
	root := newRoot(&program{})
	manual.Each(root, func(c *cobra.Command) {
		if c.Long == "" || c.Example == "" {
			t.Errorf("%s has no long text or no example", c.CommandPath())
		}
		for line := range strings.Lines(c.Long + "\n" + c.Example + "\n" + c.LocalFlags().FlagUsagesWrapped(80)) {
			if len([]rune(strings.TrimRight(line, "\n"))) > 80 {
				t.Errorf("%s: wider than 80 columns: %s", c.CommandPath(), line)
			}
		}
		if c != root && !strings.Contains(string(page), "`cortex-hub "+c.Name()) {
			t.Errorf("docs/hub.md does not speak of %s", c.CommandPath())
		}
	})
}

// TestRelease: the version is that of the newest section of CHANGELOG.md.
func TestRelease(t *testing.T) { manual.HoldRelease(t, filepath.Join("..", ".."), release) }
