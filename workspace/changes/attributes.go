package changes

import (
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace"
)

// isAttributes reports whether a path is a file of attributes that can be about files
// below .cortex.
func isAttributes(name string) bool {
	return name == ".gitattributes" || strings.HasPrefix(name, workspace.Dir+"/") && path.Base(name) == ".gitattributes"
}

// attributeChanges are the lines about files below .cortex that only one of two versions
// has.
func attributeChanges(name string, was, now []byte) []Policy {
	before, after := attributeLines(name, was), attributeLines(name, now)
	var out []Policy
	for _, line := range before {
		if !slices.Contains(after, line) {
			out = append(out, Policy{Kind: Attributes, Path: name, From: line, Weakens: lost(line)})
		}
	}
	for _, line := range after {
		if !slices.Contains(before, line) {
			out = append(out, Policy{Kind: Attributes, Path: name, To: line, Weakens: gained(line)})
		}
	}
	return out
}

// attributeLines are the lines of a file that can be about files below .cortex.
func attributeLines(name string, data []byte) []string {
	var out []string
	for line := range strings.Lines(string(data)) {
		line = strings.Join(strings.Fields(line), " ")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if pattern, _, _ := strings.Cut(line, " "); concerns(name, pattern) {
			out = append(out, line)
		}
	}
	return out
}

// concerns reports whether a pattern in a file of attributes can be about a file below .cortex. It
// errs towards yes.
func concerns(file, pattern string) bool {
	first, rest, sloping := strings.Cut(strings.TrimPrefix(pattern, "/"), "/")
	named, _ := path.Match("*-*.md", pattern)
	switch {
	case file != ".gitattributes", strings.ContainsAny(pattern, `"\`), strings.HasPrefix(pattern, "[attr]"):
		return true // below .cortex itself; a quoted pattern; a macro, which another line may use
	case sloping && rest != "":
		return mayMatch(strings.ReplaceAll(first, "**", "*"), workspace.Dir)
	case strings.HasPrefix(pattern, "/"):
		return false // a file at the top
	case named:
		return true // the name of a memory
	}
	return slices.ContainsFunc(ownNames(), func(name string) bool { return mayMatch(pattern, name) })
}

// mayMatch reports whether a pattern matches a name, or cannot be read.
func mayMatch(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok || err != nil
}

// ownNames are names of files below .cortex, one for each kind.
func ownNames() []string {
	return []string{
		workspace.Dir, "config.yaml", "decisions.md", "decisions-archive.md", "active-plan.md",
		"briefing.md", "a-1000000.md",
	}
}

// own reports whether init writes a line.
func own(line string) bool {
	for _, fold := range []bool{false, true} {
		for l := range strings.Lines(string(templates.GitAttributes(fold))) {
			if strings.TrimSpace(l) == line {
				return true
			}
		}
	}
	return false
}

// lost says what goes with a line that is not there any more.
func lost(line string) string {
	if own(line) {
		return "without the line " + line + " clones merge and check out memories in other ways"
	}
	return ""
}

// gained says what an attribute does to how memories are merged, read or reviewed; "" for
// nothing.
func gained(line string) string {
	if own(line) {
		return ""
	}
	fields := strings.Fields(line)
	for _, field := range fields[1:] {
		name, _, _ := strings.Cut(field, "=")
		switch name {
		case "merge", "-merge", "!merge", "filter", "-diff", "binary", "working-tree-encoding", "linguist-generated",
			"gitlab-generated":
			return field + " for " + fields[0] + ": memories are merged, checked out or shown in a review otherwise" +
				" than cortex has it"
		}
	}
	return ""
}
