package setup

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace"
)

// lintSetUp is how a team has what it commits looked at.
type lintSetUp struct {
	tools string            // that Init finds
	files map[string]string // of the repository; NODE stands for the folder of the tools
	kept  []string          // that Init writes or changes for the tools
	after string            // is among them afterwards
	run   string            // a command line that the hook pre-commit runs; "" where files say it
}

const (
	huskyLintStaged = `{
  "name": "p",
  "devDependencies": { "husky": "9", "lint-staged": "15" },
  "lint-staged": {
    "*.md": ["markdownlint --fix", "prettier --write"],
    "*.{js,json,yml}": "prettier --write"
  }
}
`
	dprintSettings = `{
  "markdown": { "textWrap": "always", "lineWidth": 60 },
  "json": {},
  "plugins": [
    "NODE/@dprint/markdown/plugin.wasm",
    "NODE/@dprint/json/plugin.wasm"
  ]
}
`
	localHooks = "repos:\n  - repo: local\n    hooks:\n      - id: markdownlint\n        name: markdownlint\n" +
		"        language: system\n        entry: markdownlint\n        types: [markdown]\n" +
		"      - id: prettier\n        name: prettier\n        language: system\n        entry: prettier --check -u\n" +
		"        types: [text]\n"
)

// lintSetUps are ten of them. The first refused the very commit of what Init had written.
func lintSetUps() map[string]lintSetUp {
	return map[string]lintSetUp{
		"husky and lint-staged with markdownlint and prettier": {
			tools: "husky lint-staged prettier markdownlint markdownlint-cli2",
			files: map[string]string{
				"package.json": huskyLintStaged, ".husky/pre-commit": "lint-staged\n",
				".markdownlint.json": `{ "MD046": { "style": "fenced" } }` + "\n",
			},
			kept:  []string{".prettierignore", ".markdownlintignore", ".cortex/.markdownlint.json"},
			after: "\n/.cortex/\n/.claude/rules/cortex.md\n/.claude/settings.json\n",
		},
		"prettier that wraps and has tabs": {
			tools: "husky prettier",
			files: map[string]string{
				".husky/pre-commit": "prettier --check .\n", ".prettierrc": "proseWrap: always\nuseTabs: true\nprintWidth: 60\n",
				".prettierignore": "dist",
			},
			kept: []string{".prettierignore"}, after: "dist\n# >>> cortex files (new line) >>>\n/.cortex/\n",
		},
		"lefthook with prettier and markdownlint-cli2": {
			tools: "lefthook prettier markdownlint-cli2",
			files: map[string]string{
				"lefthook.yml": "pre-commit:\n  commands:\n    prettier:\n      run: prettier --check -u {staged_files}\n" +
					"    md:\n      glob: \"*.md\"\n      run: markdownlint-cli2 {staged_files}\n",
				".markdownlint-cli2.jsonc": `{ "config": { "MD004": { "style": "asterisk" } } }` + "\n",
			},
			kept: []string{".prettierignore", ".cortex/.markdownlint.json"}, after: `{ "default": false }`,
		},
		"pre-commit": {
			tools: "pre-commit prettier markdownlint", files: map[string]string{".pre-commit-config.yaml": localHooks},
			kept:  []string{".prettierignore", ".markdownlintignore"},
			after: "\n/.claude/settings.json\n",
		},
		"pre-commit that leaves files out": {
			tools: "pre-commit prettier markdownlint",
			files: map[string]string{".pre-commit-config.yaml": "exclude: ^dist/\n" + localHooks},
			kept:  []string{".prettierignore", ".markdownlintignore"}, after: "\n.cortex/\n.claude/rules/cortex.md\n",
		},
		"dprint": {
			tools: "dprint", files: map[string]string{"dprint.json": dprintSettings}, run: "dprint check --allow-no-files",
			kept: []string{"dprint.json"}, after: `"excludes": ["/.cortex", "/.claude/rules/cortex.md", "/.claude/settings.json"]`,
		},
		"dprint that leaves files out": {
			tools: "dprint",
			files: map[string]string{
				".dprint.jsonc": "{\n  // ours\n  \"markdown\": {},\n  \"excludes\": [\n    \"dist\"\n  ],\n" +
					"  \"plugins\": [\"NODE/@dprint/markdown/plugin.wasm\"]\n}\n",
			},
			run: "dprint check --allow-no-files", kept: []string{".dprint.jsonc"}, after: "\"dist\",\n    \"/.cortex\",\n",
		},
		"commitlint beside prettier": {
			tools: "husky commitlint prettier",
			files: map[string]string{
				".husky/commit-msg": "commitlint --edit \"$1\"\n", ".husky/pre-commit": "prettier --check .\n",
				".commitlintrc.json": `{ "extends": ["@commitlint/config-conventional"] }` + "\n",
			},
			kept: []string{".prettierignore"}, after: "\n/.cortex/\n",
		},
		"editorconfig-checker": {
			tools: "editorconfig-checker",
			files: map[string]string{
				".editorconfig-checker.json": "{}\n",
				".editorconfig": "root = true\n\n[*]\nindent_style = tab\nmax_line_length = 70\n" +
					"trim_trailing_whitespace = true\n\n[{.git*,*.json}]\nmax_line_length = unset\nindent_style = unset\n",
			},
			run: "editorconfig-checker", kept: []string{".editorconfig"},
			after: "[{.cortex/**,.claude/rules/cortex.md,.claude/settings.json}]\nindent_style = unset\n",
		},
		"a script that lints everything": {
			tools: "prettier markdownlint-cli2",
			files: map[string]string{
				"package.json": "{\n  \"scripts\": {\n    \"lint\": \"prettier -c . && markdownlint-cli2 '*.md'\"\n  }\n}\n",
			},
			run:  "prettier --check . && markdownlint-cli2 '**/*.md' '#node_modules'",
			kept: []string{".prettierignore", ".cortex/.markdownlint.json"}, after: "\n/.claude/settings.json\n",
		},
	}
}

// TestLinters: Init keeps the tools of a team off what cortex writes, a teammate's Init changes nothing,
// and Uninstall leaves no trace. Where the folder of npm's modules in CORTEX_LINTERS has the tools, they
// look at a commit of all that cortex writes.
func TestLinters(t *testing.T) {
	node := os.Getenv("CORTEX_LINTERS")
	seed := uint64(0)
	for name, team := range lintSetUps() {
		seed++
		t.Run(name, func(t *testing.T) {
			c := newClone(t, map[string]string{".gitignore": "node_modules\n.husky/_\n"})
			for path, text := range team.files {
				c.write(path, strings.ReplaceAll(text, "NODE", node))
			}
			c.git("add", ".")
			c.git("commit", "-q", "-m", "feat: begin")
			if node != "" {
				c.installTools(node, team)
			}
			before := c.files()
			if got := namesOfLinters(t, c); got != team.tools {
				t.Errorf("the tools found are %s, not %s", got, team.tools)
			}
			actions := c.do(Init, options())
			var all strings.Builder
			for _, path := range team.kept {
				if actions[path] != "created" && actions[path] != "changed" {
					t.Errorf("%s is %q", path, actions[path])
				}
				all.WriteString(c.files()[path])
			}
			if !strings.Contains(all.String(), team.after) {
				t.Errorf("what keeps the tools off says\n%s", &all)
			}
			for _, check := range mustCheck(t, c) {
				if check.Name == "linters" && !check.OK {
					t.Error(check.Wrong)
				}
			}
			c.sameForTeammate()
			if node != "" {
				c.writeRandom(rand.New(rand.NewPCG(seed, 7)), 50)
				c.commitAll()
			}
			c.do(Uninstall, options())
			after := c.files()
			for _, files := range []map[string]string{before, after} { // git itself writes some on commits
				maps.DeleteFunc(files, func(path, _ string) bool {
					return strings.HasPrefix(path, ".git/") && path != ".git/config" && !strings.HasPrefix(path, ".git/hooks/") ||
						strings.HasPrefix(path, ".cortex/memories/")
				})
			}
			if diff := cmp.Diff(before, after); diff != "" {
				t.Errorf("after Uninstall (-before +after):\n%s", diff)
			}
		})
	}
}

func mustCheck(t *testing.T, c *clone) []workspace.Check {
	t.Helper()
	checks, err := Check(t.Context(), c.open(), options(), false)
	if err != nil {
		t.Fatal(err)
	}
	return checks
}

// sameForTeammate runs Init in another clone of what is there.
func (c *clone) sameForTeammate() {
	c.Helper()
	c.git("add", ".")
	c.git("-c", "core.hooksPath=/dev/null", "commit", "-q", "-m", "chore: set up Cortex")
	mate := filepath.Join(c.TempDir(), "mate")
	c.git("clone", "-q", c.dir, mate)
	m := &clone{c.T, mate}
	m.do(Init, options())
	if status := m.git("status", "--porcelain"); status != "" {
		c.Errorf("Init in another clone changes\n%s", status)
	}
	c.git("reset", "-q", "--soft", "HEAD~1")
}

// writeRandom writes memory files with whatever Markdown, and the pages of them.
func (c *clone) writeRandom(r *rand.Rand, n int) {
	c.Helper()
	for path, text := range randomFiles(c.T, r, n) {
		path = filepath.Join(c.dir, ".cortex", filepath.FromSlash(path))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
			c.Fatal(err)
		}
	}
}

// randomFiles are memory files with whatever Markdown, and the pages of them.
func randomFiles(t *testing.T, r *rand.Rand, n int) map[string]string {
	t.Helper()
	pieces := []string{
		"* one\n* two", "+ a\n1) b", "### deep", "Setext\n===", "`code` and *stars* and __bars__", "\ttabbed", "trailing  ",
		"```\nfence without a language", "<div>html</div>", "https://example.org/bare", "| a | b |\n|--|--|\n| `x` | y |",
		"\n\n\nafter blanks", "> quote\n\n> again", "- [ ] open\n- [x] done", strings.Repeat("a long line ", 12), "![image](x.png)",
		"***", "---", "Term\n: definition", "1. one\n1. one\n3. three", "日本語 と English", "[link] (broken)", "# Top", "<!-- comment -->",
	}
	types := []memory.Type{memory.Decision, memory.Decision, memory.Rejected, memory.Plan, memory.Gotcha, memory.Progress}
	files := map[string]string{}
	var shown []projection.File
	for i := range n {
		var body strings.Builder
		for range r.IntN(6) {
			body.WriteString(pieces[r.IntN(len(pieces))] + strings.Repeat("\n", 1+r.IntN(2)))
		}
		title := fmt.Sprintf("Chose %q over [%d] and <b> because *x* and `y %s", pieces[r.IntN(4)], i, strings.Repeat("z", r.IntN(90)))
		m := memory.New(types[r.IntN(len(types))], title, body.String(), time.Unix(1790000000+int64(i)*9000, 0))
		m.Tags, m.Files = []string{"a", "b: c"}, []string{"store/*.go", "日.md"}
		m.Source = memory.Source{Agent: "claude-code", Session: "7d31c0aa", Branch: "feature/x", Record: i}
		data := memory.Format(m)
		files["memories/"+m.Path()] = string(data)
		shown = append(shown, projection.File{Memory: m, Blob: index.BlobID(data, false)}) // as a hook of cortex has it
	}
	for _, kind := range projection.Kinds() {
		page, err := projection.Render(kind, "", shown)
		if err != nil {
			t.Fatal(err)
		}
		files[kind.File()] = string(page)
	}
	return files
}

// installTools makes git run the hooks of the team's tools.
func (c *clone) installTools(node string, team lintSetUp) {
	c.Helper()
	c.Setenv("PATH", node+"/.bin:"+os.Getenv("PATH"))
	if _, err := exec.LookPath("editorconfig-checker"); err != nil && team.tools == "editorconfig-checker" {
		c.Skip("editorconfig-checker is not here")
	}
	if err := os.Symlink(node, filepath.Join(c.dir, "node_modules")); err != nil {
		c.Fatal(err)
	}
	switch {
	case strings.HasPrefix(team.tools, "husky"):
		c.tool("husky")
	case strings.HasPrefix(team.tools, "lefthook"):
		c.tool("lefthook", "install")
	case strings.HasPrefix(team.tools, "pre-commit"):
		c.tool("pre-commit", "install")
	default:
		c.write(".git/hooks/pre-commit", "#!/bin/sh\n"+team.run+"\n")
		c.chmod(".git/hooks/pre-commit", 0o755)
	}
}

// tool runs a program with the tools on PATH and returns what it printed; the test is skipped if it is
// not there.
func (c *clone) tool(name string, args ...string) string {
	c.Helper()
	for _, need := range []string{name, "node"} {
		if _, err := exec.LookPath(need); err != nil {
			c.Skipf("%s is not here", need)
		}
	}
	cmd := exec.CommandContext(c.Context(), name, args...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "HOME="+c.dir+"/.git", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@x", "GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@x")
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.Fatalf("%s %s: %v\n%s", name, args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// commitAll commits what is there: no tool may refuse it, and none may change it.
func (c *clone) commitAll() {
	c.Helper()
	c.tool("git", "add", ".")
	want := c.tool("git", "write-tree")
	c.tool("git", "commit", "-q", "-m", "chore: set up Cortex")
	if got := c.tool("git", "rev-parse", "HEAD^{tree}"); got != want {
		c.Errorf("the tools changed what was committed:\n%s", c.tool("git", "diff", want, got))
	}
	if status := c.tool("git", "status", "--porcelain"); status != "" {
		c.Errorf("the tools changed files:\n%s", status)
	}
}

// TestUntouched: markdownlint with its defaults, prettier and dprint find nothing in pages of random
// memories and in what Init writes, without a word of theirs that leaves it out.
func TestUntouched(t *testing.T) {
	node := os.Getenv("CORTEX_LINTERS")
	if node == "" {
		t.Skip("CORTEX_LINTERS names no folder with the tools")
	}
	c := newClone(t, map[string]string{
		"dprint.json": "{\n  \"markdown\": {},\n  \"plugins\": [\"" + node + "/@dprint/markdown/plugin.wasm\"]\n}\n",
	})
	c.Setenv("PATH", node+"/.bin:"+os.Getenv("PATH"))
	c.write("README.md", string(templates.Readme()))
	c.write("rules.md", strings.TrimPrefix(string(templates.Rules()), "<!-- markdownlint-disable-file -->\n\n"))
	c.write("cortex.js", string(templates.OpenCodePlugin()))
	for seed := range uint64(4) {
		for path, text := range randomFiles(t, rand.New(rand.NewPCG(seed, 8)), 130) {
			if !strings.HasPrefix(path, "memories/") {
				path = filepath.Join(c.dir, fmt.Sprintf("%d-%s", seed, path))
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		}
	}
	c.tool("markdownlint", ".")
	c.tool("markdownlint-cli2", "*.md")
	c.tool("prettier", "--check", "*.md", "*.js")
	c.tool("dprint", "check", "**/*.md")
}

// namesOfLinters are the tools that are found in a clone, divided by blanks.
func namesOfLinters(t *testing.T, c *clone) string {
	t.Helper()
	tree, err := c.open().Tree()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range lintersOf(tree) {
		names = append(names, l.name)
	}
	return strings.Join(names, " ")
}
