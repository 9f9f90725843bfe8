package main

import (
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/internal/manual"
	"github.com/git-cortex/cortex/cmd/internal/usage"
)

// TestDocumentsRun: every block of a document after a comment <!-- run: NAME --> runs in
// a new repository, those of one document one after the other, and none fails. The
// quick start of README.md is what CI does.
func TestDocumentsRun(t *testing.T) {
	for name, blocks := range documentBlocks(t) {
		var script strings.Builder
		for _, b := range blocks {
			if b.runs != "" && b.runs != "quick-start" {
				script.WriteString(b.text)
			}
		}
		if script.Len() == 0 {
			continue
		}
		t.Run(strings.ReplaceAll(name, "/", "-"), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			env := []string{"PATH=" + os.Getenv("PATH")}
			for key, value := range hermeticGit(t.TempDir()) {
				env = append(env, key+"="+value)
			}
			cmd := exec.Command("sh", "-euxc", "git init -q -b main\necho 'package main' >main.go\n"+script.String())
			cmd.Dir, cmd.Env = dir, env
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%s: %v\n%s", name, err, out)
			}
		})
	}
}

// TestDocumentsName: whatever else a document or a help text shows as a command of
// cortex is one, with flags that it has.
func TestDocumentsName(t *testing.T) {
	seen := 0
	check := func(where, line string) {
		t.Helper()
		seen++
		if err := namesCommand(line); err != nil {
			t.Errorf("%s: %s: %v", where, line, err)
		}
	}
	inline := regexp.MustCompile("`((?:git )?cortex [a-z][^`\n]*)`")
	for name, blocks := range documentBlocks(t) {
		for _, b := range blocks {
			for line := range strings.Lines(b.text) {
				if strings.HasPrefix(line, "cortex ") {
					check(name, strings.TrimSpace(line))
				}
			}
		}
		for _, m := range inline.FindAllStringSubmatch(readDocument(t, name), -1) {
			check(name, m[1])
		}
	}
	manual.Each(newRootCommand(&env{streams: &streams{}}, nil), func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			if line = strings.TrimSpace(line); strings.HasPrefix(line, "cortex ") {
				check(c.CommandPath()+" --help", line)
			}
		}
	})
	if seen < 100 {
		t.Errorf("only %d commands were found", seen)
	}
	for _, wrong := range []string{"cortex nothing", "cortex list --nothing", "cortex import nothing x"} {
		if namesCommand(wrong) == nil {
			t.Errorf("%s passes for a command", wrong)
		}
	}
}

// namesCommand says why a line is no command of cortex. What stands behind a pipe, a
// redirection, a comment or two spaces is left out.
func namesCommand(line string) error {
	line = regexp.MustCompile(`\s*(?:[|<>#;]|  |&&|…).*$`).ReplaceAllString(line, "")
	words := []string{}
	for _, m := range regexp.MustCompile(`"[^"]*"?|'[^']*'?|\S+`).FindAllString(line, -1) {
		words = append(words, strings.Trim(m, `"',.:`))
	}
	if len(words) > 0 && words[0] == "git" {
		words = words[1:]
	}
	if len(words) < 2 {
		return nil
	}
	e := &env{streams: &streams{in: strings.NewReader(""), out: io.Discard, err: io.Discard}}
	root := newRootCommand(e, nil)
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd("complete")
	of, rest, err := root.Find(words[1:])
	if err != nil {
		return err
	}
	named := len(rest) > 0 && !strings.HasPrefix(rest[0], "-") && regexp.MustCompile(`^[a-z-]+$`).MatchString(rest[0])
	if of.HasSubCommands() && named && of.Name() != "help" {
		return usage.Unknown(of, rest[0])
	}
	for _, word := range rest {
		flag, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		switch {
		case strings.HasPrefix(word, "--") && flag != "" && flag != "help" && of.Flags().Lookup(flag) == nil && of.InheritedFlags().Lookup(flag) == nil && of.PersistentFlags().Lookup(flag) == nil:
			return &usageError{Err: os.ErrNotExist, Hint: flag}
		}
	}
	return nil
}

// documentBlock is a block of shell in a document.
type documentBlock struct {
	runs string // the name by which it is run, or ""
	text string
}

// documentBlocks returns the blocks of every document for people, by its path.
func documentBlocks(t *testing.T) map[string][]documentBlock {
	t.Helper()
	top := filepath.Join("..", "..")
	out := map[string][]documentBlock{}
	block := regexp.MustCompile("(?s)(?:<!-- run: ([a-z-]+) -->\n)?```sh\n(.*?)```")
	err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(top, path)
		switch rel = filepath.ToSlash(rel); {
		case err != nil:
			return err
		case d.IsDir() && rel != "." && (strings.HasPrefix(d.Name(), ".") || d.Name() == "testdata" || d.Name() == "templates" || d.Name() == "design"):
			return fs.SkipDir
		case !strings.HasSuffix(rel, ".md") || rel == "CHANGELOG.md":
			return nil
		}
		out[rel] = nil
		for _, m := range block.FindAllStringSubmatch(readDocument(t, rel), -1) {
			out[rel] = append(out[rel], documentBlock{m[1], m[2]})
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func readDocument(t *testing.T, name string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return strings.ReplaceAll(string(data), "\r\n", "\n")
}

// TestEveryAnswerIsTried: the script that looks for null in answers runs every command
// that has one, so that a new command cannot be left out.
func TestEveryAnswerIsTried(t *testing.T) {
	script := readDocument(t, "cmd/cortex/testdata/script/json-lists.txtar")
	for _, m := range commandMakers() {
		switch m.name {
		case "demo", "mcp", "ui": // these answer otherwise
			continue
		}
		if m.group != "" && !regexp.MustCompile(`['" \t]`+regexp.QuoteMeta(m.name)+`['" ;\n]`).MatchString(script) {
			t.Errorf("script/json-lists does not run %s --json", m.name)
		}
	}
}
