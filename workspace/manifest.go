package workspace

import (
	"encoding/json"
	"slices"
	"strings"
)

// manifestSize bounds a manifest that is read for names.
const manifestSize = 256 << 10

// dependencies are the names that the manifests at the root of the working
// tree depend on: go.mod, package.json, pyproject.toml, requirements.txt,
// Cargo.toml and pom.xml. Versions are left out; what cannot be read is too.
func (t *worktree) dependencies() []string {
	f, err := t.folder()
	if err != nil {
		return nil
	}
	var out []string
	for _, m := range []struct {
		file  string
		names func(string) []string
	}{
		{"go.mod", goRequires},
		{"package.json", npmDependencies},
		{"pyproject.toml", tomlDependencies},
		{"Cargo.toml", tomlDependencies},
		{"requirements.txt", pipRequirements},
		{"pom.xml", mavenArtifacts},
	} {
		if data, ok, err := f.ReadCapped(m.file, manifestSize); err == nil && ok {
			out = append(out, m.names(string(data))...)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func goRequires(text string) []string {
	var out []string
	block := false
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		switch {
		case len(words) > 1 && words[0] == "require" && words[1] == "(":
			block = true
		case len(words) > 0 && words[0] == ")":
			block = false
		case len(words) > 2 && words[0] == "require":
			out = append(out, words[1])
		case block && len(words) > 1 && strings.Contains(words[0], "."):
			out = append(out, words[0])
		}
	}
	return out
}

func npmDependencies(text string) []string {
	var p map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &p) != nil {
		return nil
	}
	var out []string
	for _, key := range []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"} {
		var names map[string]json.RawMessage
		if json.Unmarshal(p[key], &names) != nil {
			continue
		}
		for name := range names {
			out = append(out, name)
		}
	}
	return out
}

// tomlDependencies reads the keys of dependency tables and the strings of
// dependency lists, which is all that manifests use.
func tomlDependencies(text string) []string {
	var out []string
	table, inList := false, false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		key, value, isKey := strings.Cut(line, "=")
		key = strings.Trim(strings.TrimSpace(key), `"'`)
		switch {
		case strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") && !inList:
			head := strings.Trim(line, "[]")
			parent, name, nested := strings.Cut(head, "dependencies.")
			table = strings.HasSuffix(head, "dependencies")
			if nested && !strings.Contains(parent, `"`) {
				out = append(out, strings.Trim(name, `"'`))
			}
		case isKey && strings.HasSuffix(key, "dependencies") && strings.Contains(value, "[") || inList:
			out = append(out, quotedNames(line)...)
			inList = !strings.HasSuffix(strings.TrimRight(line, ","), "]")
		case table && isKey && !strings.ContainsAny(key, " {["):
			out = append(out, key)
		}
	}
	return out
}

// quotedNames are the names at the start of the quoted strings of a line, such
// as "httpx[http2]>=0.27".
func quotedNames(line string) []string {
	var out []string
	parts := strings.Split(strings.ReplaceAll(line, `'`, `"`), `"`)
	for i := 1; i < len(parts); i += 2 {
		if name := requirement(parts[i]); name != "" {
			out = append(out, name)
		}
	}
	return out
}

func pipRequirements(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if name := requirement(line); name != "" && line[0] != '-' && line[0] != '#' {
			out = append(out, name)
		}
	}
	return out
}

// requirement is the name before brackets, versions and markers.
func requirement(s string) string {
	s = strings.TrimSpace(s)
	if i := strings.IndexAny(s, "[<>=!~; #@("); i >= 0 {
		s = s[:i]
	}
	return s
}

func mavenArtifacts(text string) []string {
	var out []string
	for rest := text; ; {
		_, after, found := strings.Cut(rest, "<dependency>")
		if !found {
			return out
		}
		one, next, _ := strings.Cut(after, "</dependency>")
		rest = next
		if _, name, ok := strings.Cut(one, "<artifactId>"); ok {
			name, _, _ = strings.Cut(name, "<")
			out = append(out, strings.TrimSpace(name))
		}
	}
}
