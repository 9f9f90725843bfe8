package house

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Every sed of ours runs on every system: -i has a suffix, and nothing is written as
// only GNU's sed reads it.
var (
	sedCall = regexp.MustCompile(`\bsed (.*)`)
	sedEnds = regexp.MustCompile(` \| | && |; (do|done|then|rm|cat)\b`)
	sedOnly = regexp.MustCompile(`(^| )-(i |i$|r |[nE]*i )|(^| )--[a-z]+|\\[nrtsSwWb+?|]`)
)

// gnuSed returns what of a line only GNU's sed reads; "" if there is nothing.
func gnuSed(line string) string {
	m := sedCall.FindStringSubmatch(line)
	if m == nil {
		return ""
	}
	call := m[1]
	if at := sedEnds.FindStringIndex(call); at != nil {
		if rest := gnuSed(call[at[1]:]); rest != "" {
			return rest
		}
		call = call[:at[0]]
	}
	return strings.TrimSpace(sedOnly.FindString(call))
}

// TestGNUSed: what the next test looks for.
func TestGNUSed(t *testing.T) {
	for line, want := range map[string]string{
		`exec sed -i 's/a/b/' f`:                        "-i",
		`sed -i.bak 's/a/b/' f`:                         "",
		`sed 's/a/\n/' f`:                               `\n`,
		`tr , "\n" | sed s/a/b/ | grep 'a\|b'`:          "",
		`sed -n s/a/b/p f && sed --quiet s/a/b/`:        "--quiet",
		`sed -E 's|a+|b|' f; done`:                      "",
		`exec sh -c 'sed -i.bak s/a/b/ f && rm f.bak'`:  "",
		`sed "s/a\+/b/"`:                                `\+`,
		`what sed does is told here: \n`:                `\n`,
		`it is used -i and parsed --all`:                "",
		`exec sh -c 'sed -n -e "s/^a: \(.*\)$/\1/p" f'`: "",
	} {
		if got := gnuSed(line); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

// TestScriptsRunAnywhere: the scripts of tests, of CI and of hosts ask for no sed but
// that of POSIX.
func TestScriptsRunAnywhere(t *testing.T) {
	root := filepath.Join("..", "..")
	for _, dir := range []string{"ci", ".ci", "share", "cmd/cortex/testdata/script"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(name string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.Contains(name, "/man/") {
				return err
			}
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			n := 0
			for line := range strings.Lines(string(data)) {
				if n++; strings.HasPrefix(line, "#") {
					continue
				}
				if only := gnuSed(line); only != "" {
					t.Errorf("%s:%d: only GNU's sed reads %q; a script of a test has mask", name, n, only)
				}
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestPinned: the template for GitLab builds one commit, and no branch.
func TestPinned(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "ci", "gitlab.yml"))
	if err != nil {
		t.Fatal(err)
	}
	if !regexp.MustCompile(`(?m)^ +CORTEX_VERSION: [0-9a-f]{40}$`).Match(data) {
		t.Error("CORTEX_VERSION in ci/gitlab.yml is not the whole id of a commit")
	}
}
