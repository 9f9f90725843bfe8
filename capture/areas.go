package capture

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/capture/prose"
)

// mostAreas bounds how many areas of work a memory is tagged with.
const mostAreas = 2

// area is a row of the table of areas of work: the tag, the words of a title that speak of
// it, and the parts of paths that belong to it. A part that ends in "/" is a folder, one that
// begins with "*" the end of a file's name, and any other a whole name.
type area struct{ tag, words, paths string }

// areaTable is closed, so that a filter such as tag:testing finds all there is. A word
// stands in it only if hardly any title says it of something else.
func areaTable() []area {
	return []area{
		{"testing", "test|tests|testing|tested|e2e|flaky|fixture|fixtures|vitest|jest|pytest|playwright|testscript", "*_test.go|*.test.ts|*.test.tsx|*.spec.ts|*_test.py|tests/|e2e/|__tests__/"},
		{"ci", "ci|pipeline|pipelines|workflow|workflows|runner|runners", "workflows/|.gitlab-ci.yml|.circleci/"},
		{"security", "security|vulnerability|vulnerabilities|injection|xss|csrf|toctou|cve|sandbox|sandboxed|encrypt|encrypted|encryption|decrypt|secret|secrets", ""},
		{"auth", "auth|authentication|authorization|oauth|login|logout|jwt|mfa|password|passwords", "auth/"},
		{"database", "database|databases|postgres|postgresql|mysql|sqlite|mongodb|redis|sql|migration|migrations|orm|typeorm|prisma", "migrations/"},
		{"build", "builds|compile|compiler|bundler|webpack|vite|makefile|cgo|toolchain", "makefile|cmakelists.txt"},
		{"release", "release|releases|changelog|homebrew|goreleaser|semver|installer", "changelog.md"},
		{"deploy", "deploy|deploys|deployment|staging|docker|kubernetes|helm|healthcheck|compose", "dockerfile|docker-compose.yml|compose.yaml|helm/"},
		{"performance", "performance|latency|throughput|benchmark|benchmarks|slow|slower|profiling", ""},
		{"docs", "docs|documentation|readme|docstring|docstrings", "docs/|readme.md"},
		{"logging", "logging|logs|telemetry|tracing|metrics|grafana|sentry|posthog", ""},
		{"ui", "css|modal|dialog|layout|mockup|mockups|tooltip|stylesheet|responsive", ""},
		{"dependencies", "dependency|dependencies|lockfile|upgrade|upgrades|renovate|dependabot", "package-lock.json|pnpm-lock.yaml|go.sum"},
		{"lint", "lint|linter|linting|eslint|biome|golangci|prettier|gofumpt", ".golangci.yml|biome.json"},
		{"concurrency", "race|races|deadlock|mutex|concurrency|concurrent|goroutine|goroutines", ""},
	}
}

// areaWords finds the tag of a word.
var areaWords = sync.OnceValue(func() map[string]string {
	out := map[string]string{}
	for _, a := range areaTable() {
		for w := range strings.SplitSeq(a.words, "|") {
			out[w] = a.tag
		}
	}
	return out
})

// areasOf are the areas of work that a memory is about, by the words of its title and
// the files that it names: at most two, in alphabetical order.
func areasOf(title string, files []string) []string {
	var out []string
	add := func(tag string) {
		if tag != "" && len(out) < mostAreas && !slices.Contains(out, tag) {
			out = append(out, tag)
		}
	}
	for _, w := range prose.Words(strings.ReplaceAll(title, "`", " ")) {
		add(areaWords()[w])
	}
	for _, f := range files {
		for _, a := range areaTable() {
			for p := range strings.SplitSeq(a.paths, "|") {
				if p != "" && inArea(strings.ToLower(f), p) {
					add(a.tag)
				}
			}
		}
	}
	slices.Sort(out)
	return out
}

func inArea(file, part string) bool {
	switch {
	case strings.HasSuffix(part, "/"):
		return strings.HasPrefix(file, part) || strings.Contains(file, "/"+part)
	case part[0] == '*':
		return strings.HasSuffix(file, part[1:])
	}
	return path.Base(file) == part
}
