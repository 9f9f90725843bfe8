// Package manifest reads the names of dependencies from the manifests of
// package managers. Call [Files] for the manifests that it knows, [Dependencies]
// for the names in one of them, and [Name] for that of its project; [Tables] reads any
// document of TOML. Versions are left out. Manifests are untrusted: they are read in time and
// memory proportional to their size, which is at most [MaxSize], and a broken one yields no
// names, or some.
package manifest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
)

// MaxSize is how many bytes a manifest may have. [Dependencies] returns nothing
// for a larger one.
const MaxSize = 256 << 10

// Files returns the names of the manifests that [Dependencies] can read, but for those that a project names
// itself: see [Known].
func Files() []string {
	return []string{
		"go.mod", "package.json", "composer.json", "pyproject.toml", "Cargo.toml", "requirements.txt", "pom.xml",
		"build.gradle",
		"build.gradle.kts", "build.sbt", "Gemfile", "mix.exs", "pubspec.yaml", "Package.swift",
		"Directory.Packages.props",
	}
}

// Known reports whether [Dependencies] can read a file of this name.
func Known(file string) bool {
	return slices.Contains(Files(), file) || slices.Contains([]string{".csproj", ".fsproj", ".gemspec"}, path.Ext(file))
}

// pattern is the expression that finds the names of dependencies in a manifest that is no JSON and no TOML;
// "" for others.
func pattern(file string) string {
	const (
		gem    = `(?m)^\s*(?:gem|\w+\.add_(?:\w+_)?dependency)[ (]+["']([^"']+)`
		gradle = `(?m)^\s*\w*(?:mplementation|[aA]pi|[oO]nly|[pP]rocessor|ksp|kapt)[\s(]+(?:platform\()?` +
			`(?:libs\.([\w.]+)|["']([^"':]+:[^"':]+))`
		net = `<Package(?:Reference|Version)\s[^>]*Include="([^"]+)"`
	)
	return map[string]string{
		"Directory.Packages.props": net, ".csproj": net, ".fsproj": net,
		"build.gradle": gradle, "build.gradle.kts": gradle,
		"Gemfile": gem, ".gemspec": gem,
		"build.sbt":        `%+\s*"([\w.-]+)"\s*%`,
		"mix.exs":          `\{\s*:(\w+),`,
		"Package.swift":    `\.package\([^)]*?url:\s*"([^"]+)"`,
		"pubspec.yaml":     `(?m)^  (\w+):`,
		"requirements.txt": `(?m)^\s*([^-#\s\[<>=!~;@(][^\s\[<>=!~;@#(]*)`,
		// Poms write these elements without a prefix or an attribute, so no parser of XML is needed.
		"pom.xml": `<dependency>\s*(?:<\w+>[^<]*</\w+>\s*)*?<artifactId>\s*([^<\s]+)\s*</artifactId>`,
	}[file]
}

// Dependencies returns the names that a manifest depends on, sorted, each once.
// File is the name of the manifest, one of [Files] or [Known].
func Dependencies(file string, data []byte) []string {
	if len(data) > MaxSize {
		return nil
	}
	var names []string
	switch file {
	case "go.mod":
		names = goModules(data)
	case "package.json", "composer.json":
		names = npmPackages(data)
	case "pyproject.toml", "Cargo.toml":
		names = tomlPackages(data)
	default:
		names = matched(cmp.Or(pattern(file), pattern(path.Ext(file)), `\z.`), data)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// matched are the names that a pattern finds outside of what XML comments out or excludes.
func matched(pattern string, data []byte) (names []string) {
	data = regexp.MustCompile(`(?s)<!--.*?(?:-->|$)|<exclusions>.*?(?:</exclusions>|$)`).ReplaceAll(data, nil)
	for _, m := range regexp.MustCompile(pattern).FindAllSubmatch(data, -1) {
		names = append(names, string(bytes.Join(m[1:], nil)))
	}
	return names
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
	for _, key := range []string{
		"dependencies", "devDependencies", "peerDependencies", "optionalDependencies", "require", "require-dev",
	} {
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

// requirement is the name before brackets, versions and markers.
func requirement(s string) string {
	s = strings.TrimSpace(s)
	return s[:strings.IndexAny(s+"#", "[<>=!~; #@(")]
}
