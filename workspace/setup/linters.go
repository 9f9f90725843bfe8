package setup

import (
	"bytes"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/markers"
	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace"
)

// linter is a tool that may refuse or rewrite the files that cortex writes.
type linter struct {
	name     string
	settings []string // patterns of its settings at the top of the repository
	word     string   // matches its name where commands are listed, see [listings]; "" for none
	// the file that keeps it off the paths, given the settings that were found; nil where nothing has to
	ignore func(at string, paths []string) managed
	remedy string // what a person may do where that is not enough; "" for none
}

// linters are the tools that Init looks for. Those without a file to ignore by run the
// others, or look at commit messages alone. The settings of pre-commit are left alone: it refuses every
// commit while they are changed and not staged.
func linters() []linter {
	return []linter{
		{"husky", []string{".husky"}, `\bhusky\b`, nil, ""},
		{
			"lint-staged",
			[]string{".lintstagedrc*", "lint-staged.config.*"},
			`\blint-staged\b`, nil, "give it patterns that leave out .cortex/",
		},
		{
			"lefthook",
			[]string{"lefthook.y*ml", ".lefthook.y*ml"},
			`\blefthook\b`, nil, "write exclude: [.cortex/**] into its command of lefthook.yml",
		},
		{"commitlint", []string{".commitlintrc*", "commitlint.config.*"}, `\bcommitlint\b`, nil, ""},
		{"pre-commit", []string{preCommitFile}, "", nil, `write exclude: ^\.cortex/ into its hook of ` + preCommitFile},
		{
			"prettier",
			[]string{".prettierrc*", "prettier.config.*", ".prettierignore"},
			`\bprettier\b`,
			func(_ string, paths []string) managed { return ignoreFile(".prettierignore", "prettier", "/", paths) },
			"write /.cortex/ into the file that its --ignore-path names",
		},
		{
			"markdownlint",
			[]string{".markdownlint.*", ".markdownlintrc", ".markdownlintignore"},
			`\bmarkdownlint(-cli)?([^-\w]|$)`,
			// it knows no path that begins with a slash
			func(_ string, paths []string) managed {
				return ignoreFile(".markdownlintignore", "markdownlint", "", markdown(paths))
			},
			"write .cortex/ into the file that its --ignore-path names",
		},
		{
			"markdownlint-cli2",
			[]string{".markdownlint-cli2.*", ".markdownlint.*"},
			`\bmarkdownlint-cli2\b`,
			func(string, []string) managed {
				return wholeFile(markdownlintFile, "keeps markdownlint-cli2 off memories",
					[]byte("{ \"default\": false }\n"))
			},
			`write "ignores": [".cortex/**"] into its settings`,
		},
		{
			"dprint",
			[]string{"dprint.json*", ".dprint.json*"},
			"", dprintFile,
			`write "/.cortex" into the excludes of its settings`,
		},
		{
			"editorconfig-checker",
			[]string{".editorconfig-checker.json", ".ecrc"},
			`\b(editorconfig-checker|ec)\b`, editorConfigFile, `write "Exclude": ["^\\.cortex/"] into its settings`,
		},
	}
}

const (
	markdownlintFile = workspace.Dir + "/.markdownlint.json"
	preCommitFile    = ".pre-commit-config.yaml"
)

// listings are the files of a repository that list commands to be run before a commit.
func listings() []string {
	return []string{
		"package.json", preCommitFile, "lefthook.y*ml", ".lefthook.y*ml", ".lintstagedrc*", "lint-staged.config.*",
		".husky/pre-commit", ".husky/commit-msg",
	}
}

// lintersOf finds the tools of a working tree by their settings, or where commands are listed.
func lintersOf(t workspace.Folder) (found []linter) {
	var listed bytes.Buffer
	for _, pattern := range listings() {
		for _, name := range t.Match(pattern) {
			data, _, _ := t.ReadCapped(name, 1<<20) // one that cannot be read lists nothing
			listed.Write(data)
		}
	}
	for _, l := range linters() {
		l.settings = matches(t, l.settings)
		if len(l.settings) > 0 || l.isNamedIn(listed.Bytes()) {
			found = append(found, l)
		}
	}
	return found
}

// isNamedIn reports whether a list of commands names the tool.
func (l linter) isNamedIn(listed []byte) bool {
	return l.word != "" && regexp.MustCompile(l.word).Match(listed)
}

// matches are the paths of a working tree that match one of the patterns.
func matches(t workspace.Folder, patterns []string) (names []string) {
	for _, pattern := range patterns {
		names = append(names, t.Match(pattern)...)
	}
	return names
}

// ignoreFiles are the files that keep the tools of a working tree off what Init writes for the agents.
func ignoreFiles(t workspace.Folder, agents []managed) (files []managed) {
	added := lists.Where(agents, func(m managed) bool { return m.isNewTo(t) })
	paths := append([]string{workspace.Dir + "/"}, lists.Map(added, func(m managed) string { return m.path })...)
	for _, l := range lintersOf(t) {
		if l.ignore != nil {
			at := append(l.settings, "")[0]
			files = append(files, l.ignore(at, paths))
		}
	}
	return files
}

// markdown leaves folders and files of Markdown.
func markdown(paths []string) []string {
	return lists.Without(paths, func(p string) bool {
		return !strings.HasSuffix(p, "/") && path.Ext(p) != ".md"
	})
}

// isNewTo reports whether a file outside of .cortex is cortex's alone, as far as the working tree shows.
func (m managed) isNewTo(t workspace.Folder) bool {
	if strings.HasPrefix(m.path, workspace.Dir+"/") {
		return false
	}
	return path.Ext(m.path) == ".md" || !t.Exists(m.path) || m.isAlone(t)
}

// isAlone reports whether there is nothing in the file but our part.
func (m managed) isAlone(t workspace.Folder) bool {
	data, _, err := t.Read(m.path)
	if err != nil {
		return false
	}
	rest, err := m.take(data)
	return err == nil && rest == nil
}

// everIgnored are all files that [ignoreFiles] may have written.
func everIgnored() []managed {
	var files []managed
	for _, l := range linters() {
		if l.ignore != nil && l.name != "dprint" {
			files = append(files, l.ignore("", nil))
		}
	}
	for _, name := range []string{"dprint.json", "dprint.jsonc", ".dprint.json", ".dprint.jsonc"} {
		files = append(files, dprintFile(name, append(templates.AgentFiles(), workspace.Dir+"/")))
	}
	for i := range files {
		files[i].shared = true
	}
	return files
}

// ignoreFile is a file of patterns as .gitignore has them. Those that are there stay.
func ignoreFile(name, tool, root string, paths []string) managed {
	block := markers.Block{Name: "files"}
	m := blockFile(name, "keeps "+tool+" off memories", block)
	m.add = func(old []byte, exists bool) ([]byte, error) {
		body, _ := markers.Body(old, block)
		for _, p := range paths {
			if line := root + p + "\n"; !strings.Contains("\n"+body, "\n"+line) {
				body += line
			}
		}
		return blockFile(name, "", markers.Block{Name: block.Name, Body: body}).add(old, exists)
	}
	return m
}

// onceFile is a file with lines of ours that stay as they are once they are there.
func onceFile(name, tool, body string) managed {
	block := markers.Block{Name: "files", Body: body}
	m := blockFile(name, "keeps "+tool+" off memories", block)
	insert := m.add
	m.add = func(old []byte, exists bool) ([]byte, error) {
		if _, there := markers.Body(old, block); there {
			return old, nil
		}
		return insert(old, exists)
	}
	return m
}

// editorConfigFile takes the paths out of what the team's .editorconfig asks of the other files.
func editorConfigFile(_ string, paths []string) managed {
	var each []string
	for _, p := range paths {
		if strings.HasSuffix(p, "/") {
			p += "**"
		}
		each = append(each, p)
	}
	body := "[{" + strings.Join(each, ",") + "}]\n"
	for _, key := range []string{
		"indent_style", "indent_size", "max_line_length", "trim_trailing_whitespace", "end_of_line",
	} {
		body += key + " = unset\n"
	}
	return onceFile(".editorconfig", "editorconfig-checker", body)
}

// dprintFile is a file of settings of dprint that leaves the paths out.
func dprintFile(name string, paths []string) managed {
	excluded := func(p string) string { return "/" + strings.TrimSuffix(p, "/") }
	return managed{
		path: name, what: "keeps dprint off memories",
		add: func(old []byte, _ bool) (now []byte, err error) {
			now = old
			for _, p := range paths {
				if now, err = addExclusion(now, excluded(p)); err != nil {
					return nil, err
				}
			}
			return now, nil
		},
		take: func(now []byte) (rest []byte, err error) {
			rest = now
			for _, p := range paths {
				if rest, err = removeExclusion(rest, excluded(p)); err != nil || rest == nil {
					return rest, err
				}
			}
			return rest, nil
		},
	}
}

func addExclusion(data []byte, pattern string) ([]byte, error) {
	item := quoteJSON(pattern)
	return addEntry(data, "excludes", "["+item+"]", item, func(list jsonNode) bool {
		return slices.ContainsFunc(list.elements, func(n jsonNode) bool { return n.text == pattern })
	})
}

func removeExclusion(data []byte, pattern string) ([]byte, error) {
	return removeEntry(data, "excludes", func(list jsonNode) int {
		return slices.IndexFunc(list.elements, func(n jsonNode) bool { return n.text == pattern })
	})
}

// checkLinters says which tool lacks the lines that keep it off what cortex writes.
func checkLinters(t workspace.Folder, agents []managed) workspace.Check {
	const name = "linters"
	for _, m := range ignoreFiles(t, agents) {
		data, there, err := t.Read(m.path)
		if err != nil {
			return workspace.Check{Name: name, Wrong: err.Error()}
		}
		want, err := m.add(data, there)
		if err != nil {
			return workspace.Fault(name, "edit "+m.path+", then cortex init", "%s: %v", m.path, err)
		}
		if !bytes.Equal(want, data) {
			return workspace.Fault(name, "cortex init", "%s lacks the lines of cortex: what it writes may be"+
				" refused or rewritten at a commit (%s)", m.path, m.what)
		}
	}
	return workspace.Check{Name: name, OK: true}
}
