// Package manifest reads the names of dependencies from the manifests of
// package managers. Call [Files] for the manifests that it knows, [Dependencies]
// for the names in one of them, and [Name] for that of its project; [Tables] reads any
// document of TOML. Versions are left out. Manifests are untrusted: they are read in time and
// memory proportional to their size, which is at most [MaxSize], and a broken one yields no
// names, or some.
package manifest

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// MaxSize is how many bytes a manifest may have. [Dependencies] returns nothing
// for a larger one.
const MaxSize = 256 << 10

// Files returns the names of the manifests that [Dependencies] can read.
func Files() []string {
	return []string{"go.mod", "package.json", "pyproject.toml", "Cargo.toml", "requirements.txt", "pom.xml"}
}

// Dependencies returns the names that a manifest depends on, sorted, each once.
// File is the name of the manifest, one of [Files].
func Dependencies(file string, data []byte) []string {
	if len(data) > MaxSize {
		return nil
	}
	var names []string
	switch file {
	case "go.mod":
		names = goModules(data)
	case "package.json":
		names = npmPackages(data)
	case "pyproject.toml", "Cargo.toml":
		names = tomlPackages(data)
	case "requirements.txt":
		names = pipRequirements(data)
	case "pom.xml":
		names = mavenArtifacts(data)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Name returns the name that a manifest gives to its own project; "" where it has
// none. File is the name of the manifest, one of [Files].
func Name(file string, data []byte) string {
	if len(data) > MaxSize {
		return ""
	}
	switch file {
	case "go.mod":
		return append(goDirectives(data, "module", 2), "")[0]
	case "package.json":
		var doc struct {
			Name string `json:"name"`
		}
		_ = json.Unmarshal(data, &doc) // a broken one has no name
		return doc.Name
	case "pyproject.toml", "Cargo.toml":
		return tomlName(data)
	}
	return ""
}

// tomlName is the name in the first table that has one, of those that the dialects of
// manifests name a project in.
func tomlName(data []byte) string {
	type named struct {
		Name string `toml:"name"`
	}
	var doc struct {
		Project named `toml:"project"`
		Package named `toml:"package"`
		Tool    struct {
			Poetry named `toml:"poetry"`
		} `toml:"tool"`
	}
	if tooDeep(data) || toml.Unmarshal(data, &doc) != nil {
		return ""
	}
	return cmp.Or(doc.Project.Name, doc.Package.Name, doc.Tool.Poetry.Name)
}

// Tables reads any document of TOML, as the settings of an agent. Its error says what is
// wrong with it, and in which line.
func Tables(data []byte) (map[string]any, error) {
	if len(data) > MaxSize {
		return nil, fmt.Errorf("%d bytes is over the limit of %d", len(data), MaxSize)
	}
	if tooDeep(data) {
		return nil, errors.New("it is nested too deeply")
	}
	var doc map[string]any
	err := toml.Unmarshal(data, &doc)
	return doc, err
}

func goModules(data []byte) []string { return goDirectives(data, "require", 3) }

// goDirectives returns the first argument of each directive of a go.mod with a verb, by itself or in a
// block, that has so many words (https://go.dev/ref/mod#go-mod-file-lexical); none if a block has no end.
func goDirectives(data []byte, verb string, least int) []string {
	var out []string
	block := ""
	for line := range strings.Lines(string(data)) {
		line, _, _ = strings.Cut(line, "//")
		words := append(strings.Fields(block+" "+line), "", "")
		switch {
		case words[1] == "(":
			block = words[0]
		case words[1] == ")":
			block = ""
		case words[0] == verb && len(words) >= least+2:
			out = append(out, strings.Trim(words[1], "\"`"))
		}
	}
	if block != "" {
		return nil
	}
	return out
}

func npmPackages(data []byte) []string {
	var doc map[string]json.RawMessage
	if json.Unmarshal(data, &doc) != nil {
		return nil
	}
	var names []string
	for _, key := range []string{"dependencies", "devDependencies", "peerDependencies", "optionalDependencies"} {
		var table map[string]json.RawMessage
		_ = json.Unmarshal(doc[key], &table) // what is no table names nothing
		names = slices.AppendSeq(names, maps.Keys(table))
	}
	return names
}

func tomlPackages(data []byte) []string {
	doc, err := Tables(data)
	if err != nil {
		return nil
	}
	return tomlNames(doc)
}

// tomlNames finds the lists and tables of dependencies below a table. Their keys
// end in "dependencies" in every dialect: project.dependencies,
// project.optional-dependencies, tool.poetry.group.dev.dependencies,
// dev-dependencies, target.'cfg(unix)'.dependencies.
func tomlNames(table map[string]any) []string {
	var names []string
	for key, value := range table {
		switch value := value.(type) {
		case []any:
			if strings.HasSuffix(key, "dependencies") {
				names = append(names, requirements(value)...)
			}
		case map[string]any:
			if !strings.HasSuffix(key, "dependencies") {
				names = append(names, tomlNames(value)...)
				continue
			}
			for name, v := range value {
				if list, ok := v.([]any); ok { // a group of optional ones
					names = append(names, requirements(list)...)
				} else {
					names = append(names, name)
				}
			}
		}
	}
	return names
}

// requirements are the names in a list of strings such as "httpx[http2]>=0.27".
func requirements(list []any) []string {
	var names []string
	for _, v := range list {
		if s, ok := v.(string); ok && requirement(s) != "" {
			names = append(names, requirement(s))
		}
	}
	return names
}

func pipRequirements(data []byte) []string {
	var names []string
	for line := range strings.Lines(string(data)) {
		if name := requirement(line); name != "" && !strings.ContainsAny(line[:1], "-#") {
			names = append(names, name)
		}
	}
	return names
}

// requirement is the name before brackets, versions and markers.
func requirement(s string) string {
	s = strings.TrimSpace(s)
	return s[:strings.IndexAny(s+"#", "[<>=!~; #@(")]
}

// mavenArtifacts returns the first artifactId of each dependency element, wherever that is, but not those of
// exclusions. Poms write these elements without a prefix or an attribute, so no parser of XML is needed.
func mavenArtifacts(data []byte) []string {
	text := without(without(string(data), "<!--", "-->"), "<exclusions>", "</exclusions>")
	var names []string
	for _, dependency := range strings.Split(text, "<dependency>")[1:] {
		dependency, _, _ = strings.Cut(dependency, "</dependency>")
		_, name, _ := strings.Cut(dependency, "<artifactId>")
		name, _, closed := strings.Cut(name, "</artifactId>")
		if name = strings.TrimSpace(name); closed && name != "" {
			names = append(names, name)
		}
	}
	return names
}

// without returns a text without what stands between two marks, and them. The last mark may be missing.
func without(text, from, to string) string {
	var kept strings.Builder
	for text != "" {
		var before string
		before, text, _ = strings.Cut(text, from)
		kept.WriteString(before)
		_, text, _ = strings.Cut(text, to)
	}
	return kept.String()
}
