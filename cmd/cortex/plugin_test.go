package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/templates"
)

var pluginFolder = filepath.Join("..", "..", "plugin")

// readPlugin reads a file of the plugin.
func readPlugin(t *testing.T, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(pluginFolder, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// decodePlugin reads a JSON file of the plugin, which has no other keys.
func decodePlugin(t *testing.T, name string, into any) {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(string(readPlugin(t, name))))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// TestPluginManifests: all manifests name the same plugin, the same server and, for
// each agent, the same hooks as init writes, and no key that their schemas lack.
func TestPluginManifests(t *testing.T) {
	type author struct {
		Name string `json:"name"`
	}
	type server struct {
		Type    string   `json:"type,omitempty"`
		Command string   `json:"command"`
		Args    []string `json:"args"`
	}
	type manifest struct {
		Schema      string   `json:"$schema,omitempty"`
		Name        string   `json:"name"`
		DisplayName string   `json:"displayName,omitempty"`
		Version     string   `json:"version"`
		Description string   `json:"description"`
		Author      author   `json:"author"`
		Homepage    string   `json:"homepage"`
		Repository  string   `json:"repository"`
		License     string   `json:"license"`
		Keywords    []string `json:"keywords"`
		Skills      string   `json:"skills,omitempty"`
		Servers     string   `json:"mcpServers,omitempty"`
		Hooks       string   `json:"hooks,omitempty"`
	}
	var claude manifest
	decodePlugin(t, ".claude-plugin/plugin.json", &claude)
	if claude.Version != version() || claude.Skills != "./extension/skills/" {
		t.Errorf("the plugin is of version %s, the program of %s; skills are in %s", claude.Version, version(), claude.Skills)
	}
	same := func(file string, but manifest) {
		t.Helper()
		want := claude
		want.Schema, want.DisplayName, want.Skills, want.Servers, want.Hooks = but.Schema, but.DisplayName, but.Skills, but.Servers, but.Hooks
		var got manifest
		decodePlugin(t, file, &got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", file, diff)
		}
	}
	same(".codex-plugin/plugin.json", manifest{Skills: claude.Skills, Servers: "./.mcp.json", Hooks: "./hooks/codex.json"})
	same(".cursor-plugin/plugin.json", manifest{DisplayName: claude.DisplayName, Skills: claude.Skills, Servers: "./.mcp.json", Hooks: "./hooks/cursor.json"})
	same("extension/plugin.json", manifest{Schema: "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"})
	var gemini struct {
		Name        string            `json:"name"`
		Version     string            `json:"version"`
		Description string            `json:"description"`
		Servers     map[string]server `json:"mcpServers"`
	}
	decodePlugin(t, "extension/gemini-extension.json", &gemini)
	if gemini.Name != claude.Name || gemini.Version != claude.Version || gemini.Description != claude.Description {
		t.Errorf("the extension is %+v", gemini)
	}
	var market struct {
		Name        string `json:"name"`
		Description string `json:"description"`
		Owner       author `json:"owner"`
		Plugins     []struct {
			Name        string   `json:"name"`
			Source      string   `json:"source"`
			Description string   `json:"description"`
			Category    string   `json:"category"`
			Tags        []string `json:"tags"`
		} `json:"plugins"`
	}
	decodePlugin(t, "../.claude-plugin/marketplace.json", &market)
	if len(market.Plugins) != 1 || market.Plugins[0].Name != claude.Name || market.Plugins[0].Source != "./plugin" || market.Description == "" || market.Plugins[0].Description == "" {
		t.Errorf("the marketplace offers %+v", market)
	}
	type servers struct {
		Schema  string            `json:"$schema,omitempty"`
		Servers map[string]server `json:"mcpServers"`
	}
	var mine, theirs servers
	decodePlugin(t, ".mcp.json", &mine)
	decodePlugin(t, "extension/mcp.json", &theirs)
	stdio := map[string]server{"cortex": {Type: "stdio", Command: "cortex", Args: []string{"mcp"}}}
	plain := map[string]server{"cortex": {Command: "cortex", Args: []string{"mcp"}}}
	if diff := cmp.Diff([]map[string]server{stdio, stdio, plain}, []map[string]server{mine.Servers, theirs.Servers, gemini.Servers}); diff != "" {
		t.Errorf("servers (-want +got):\n%s", diff)
	}
	for file, want := range map[string][]byte{
		"hooks/hooks.json": templates.ClaudeHooks(), "hooks/codex.json": templates.CodexHooks(),
		"hooks/cursor.json": templates.CursorHooks(), "extension/hooks/hooks.json": templates.GeminiHooks(),
	} {
		if got := string(readPlugin(t, file)); got != string(want) {
			t.Errorf("%s is not what init writes: copy it from templates/files\n%s", file, cmp.Diff(string(want), got))
		}
	}
}

// TestCursorPlugin: the manifest for Cursor has what the schema of Cursor's plugins
// allows (schemas/plugin.schema.json of github.com/cursor/plugins, as of November 2026)
// and nothing else, what it names is there, and its hooks are of events of Cursor.
func TestCursorPlugin(t *testing.T) {
	var manifest map[string]any
	decodePlugin(t, ".cursor-plugin/plugin.json", &manifest)
	text, list := "string", "[]interface {}"
	kinds := map[string][]string{
		"name": {text}, "displayName": {text}, "description": {text}, "version": {text}, "publisher": {text}, "homepage": {text},
		"repository": {text}, "license": {text}, "logo": {text}, "category": {text}, "keywords": {list}, "tags": {list},
		"commands": {text, list}, "agents": {text, list}, "skills": {text, list}, "rules": {text, list}, "hooks": {text}, "mcpServers": {text},
		"author": {"map[string]interface {}"},
	}
	for key, value := range manifest {
		if kind := fmt.Sprintf("%T", value); !slices.Contains(kinds[key], kind) {
			t.Errorf("%s is a %s", key, kind)
		}
	}
	if name, _ := manifest["name"].(string); !regexp.MustCompile(`^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$`).MatchString(name) {
		t.Errorf("it is named %q", name)
	}
	for _, key := range []string{"homepage", "repository"} {
		at, _ := manifest[key].(string)
		if u, err := url.Parse(at); err != nil || u.Scheme != "https" || u.Host == "" {
			t.Errorf("%s is %q", key, at)
		}
	}
	author, _ := manifest["author"].(map[string]any)
	if name, _ := author["name"].(string); len(author) != 1 || name == "" {
		t.Errorf("the author is %v", author)
	}
	for _, key := range []string{"skills", "hooks", "mcpServers"} {
		at, _ := manifest[key].(string)
		if _, err := os.Stat(filepath.Join(pluginFolder, filepath.FromSlash(at))); err != nil || !strings.HasPrefix(at, "./") {
			t.Errorf("%s is %q: %v", key, at, err)
		}
	}
	var hooks struct {
		Version int `json:"version"`
		Hooks   map[string][]struct {
			Command string `json:"command"`
			Matcher string `json:"matcher"`
		} `json:"hooks"`
	}
	decodePlugin(t, "hooks/cursor.json", &hooks)
	events := strings.Fields("sessionStart sessionEnd preToolUse postToolUse postToolUseFailure subagentStart subagentStop " +
		"beforeShellExecution afterShellExecution beforeMCPExecution afterMCPExecution beforeReadFile afterFileEdit " +
		"beforeSubmitPrompt afterAgentResponse afterAgentThought preCompact stop")
	for event, list := range hooks.Hooks {
		if !slices.Contains(events, event) || len(list) != 1 || list[0].Command == "" {
			t.Errorf("%s: %+v", event, list)
		}
	}
	if hooks.Version != 1 {
		t.Errorf("the hooks are of version %d", hooks.Version)
	}
}

// skillNames are the folders of skills.
func skillNames(t *testing.T) []string {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(pluginFolder, "extension", "skills"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return out
}

// TestSkillFiles: each skill is short, and has the name of its folder and a
// description that an agent can choose it by.
func TestSkillFiles(t *testing.T) {
	front := regexp.MustCompile(`^---\nname: ([a-z-]+)\ndescription: (.+)\n---\n`)
	readme := string(readPlugin(t, "README.md"))
	if n := len(strings.Fields(readme)); n < 40 {
		t.Errorf("the README has %d words", n)
	}
	total := 0
	for _, name := range skillNames(t) {
		text := string(readPlugin(t, "extension/skills/"+name+"/SKILL.md"))
		m := front.FindStringSubmatch(text)
		if m == nil || m[1] != name || len(m[2]) > 400 || !strings.Contains(m[2], "Use ") {
			t.Errorf("%s: frontmatter %q", name, m)
		}
		if lines := strings.Count(text, "\n"); lines > 40 {
			t.Errorf("%s has %d lines", name, lines)
		}
		if !strings.Contains(readme, "`"+name+"`") {
			t.Errorf("the README does not name %s", name)
		}
		if m != nil {
			total += len(m[2])
		}
	}
	if total > 2600 {
		t.Errorf("the descriptions have %d bytes, which every session of an agent pays for", total)
	}
}

var (
	shellBlock  = regexp.MustCompile("(?s)```sh\n(.*?)```")
	inlineShell = regexp.MustCompile("`(cortex [^`]+)`")
)

// commandsOf returns what a skill tells an agent to run, in its order.
func commandsOf(text string) []string {
	var out []string
	for _, m := range shellBlock.FindAllStringSubmatch(text, -1) {
		out = append(out, strings.Split(strings.TrimSpace(m[1]), "\n")...)
	}
	for _, m := range inlineShell.FindAllStringSubmatch(shellBlock.ReplaceAllString(text, ""), -1) {
		out = append(out, m[1])
	}
	return out
}

// TestSkillCommands runs every command that a skill names, in a repository with a
// session that was captured, and what stands in capitals filled in.
func TestSkillCommands(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the skills give their commands for sh, which Windows does not have")
	}
	for _, name := range testrun.Sample(3, skillNames(t)) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			commands := commandsOf(string(readPlugin(t, "extension/skills/"+name+"/SKILL.md")))
			if len(commands) < 2 {
				t.Fatalf("it names %q", commands)
			}
			s := newSkill(t)
			for _, command := range commands {
				s.run(command)
			}
		})
	}
}

// skill is a repository in which a skill is tried.
type skill struct {
	*testing.T
	dir string
	env []string
	n   int
}

func newSkill(t *testing.T) *skill {
	s := &skill{T: t, dir: t.TempDir()}
	s.env = os.Environ()
	for key, value := range hermeticGit(t.TempDir()) {
		s.env = append(s.env, key+"="+value)
	}
	transcript, err := sessionFrom("user Which tide tables are used?\nagent Those of the harbour office.\nuser Always show the date of the tide table beside the forecast, because the harbour office is late.\nagent Done.\n", "s-1", s.dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{"s.jsonl": transcript, "main.go": []byte("package main\n\nfunc main() {}\n")} {
		if err := os.WriteFile(filepath.Join(s.dir, name), data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	s.sh("git init -q -b main && git add main.go && git commit -q -m first && cortex init -q --agent none && git add . && git commit -q -m setup && cortex capture s.jsonl")
	return s
}

// sh runs a line of shell and returns what it printed; the program may also end
// with 3, for problems found.
func (s *skill) sh(line string) string {
	s.Helper()
	cmd := exec.Command("sh", "-c", line)
	cmd.Dir, cmd.Env = s.dir, s.env
	out, err := cmd.CombinedOutput()
	if err != nil && cmd.ProcessState.ExitCode() != 3 {
		s.Fatalf("%s: %v\n%s", line, err, out)
	}
	return string(out)
}

// run fills a command in and runs it. Each ID is that of a new pending memory, but
// for what is to be restored.
func (s *skill) run(command string) {
	s.Helper()
	fill := map[string]string{
		"WORDS": "tide table", "TEXT": "'Tide gauges of the north pier sleep at night.'", "TYPE": "gotcha", "PATH": "main.go", "LINE": "1",
		"CMD": "'go test ./...'", "SHEET": "sheet.md", "ANSWER": "answer.json",
		"GROUPS": "groups.json", "MERGED": "merged.json",
	}
	if strings.Contains(command, "ID") {
		s.n++
		fill["ID"] = s.remember(strings.Repeat("north ", s.n) + "gauge sleeps")
	}
	if strings.Contains(command, "restore") {
		s.sh("cortex forget " + fill["ID"])
	}
	if strings.Contains(command, "ANSWER") {
		sheet := regexp.MustCompile(`(?m)^sheet: ([0-9a-f]+)$`).FindStringSubmatch(s.sh("cat sheet.md"))
		if sheet == nil {
			s.Fatal("there is no sheet")
		}
		s.sh(`echo '{"sheet":"` + sheet[1] + `","memories":[],"dropped":[]}' > answer.json`)
	}
	if command == "cortex consolidate" { // two that say the same
		s.sh("cortex remember -q --pending 'The tide table of the harbour office is late on Mondays, by two hours.'")
		s.sh("cortex remember -q --pending 'The tide table of the harbour office is late on Mondays, by two hours or more.'")
	}
	if strings.Contains(command, "MERGED") {
		group := regexp.MustCompile(`"group": ?"([0-9a-f]+)"`).FindStringSubmatch(s.sh("cat groups.json"))
		if group == nil {
			s.Fatalf("there is no group:\n%s", s.sh("cat groups.json"))
		}
		s.sh(`echo '{"groups":[{"group":"` + group[1] + `","title":"The tide table of the harbour office is late on Mondays","text":"It is late by two hours or more."}]}' > merged.json`)
	}
	if strings.Contains(command, "--undo") {
		s.sh("cortex review --reject-all 'type:preference'")
	}
	word := regexp.MustCompile(`\b(` + strings.Join(slices.Sorted(maps.Keys(fill)), "|") + `|ID)\b`)
	said := s.sh(word.ReplaceAllStringFunc(command, func(w string) string { return fill[w] }))
	if strings.Contains(said, "refused ") {
		s.Fatalf("%s: %s", command, said)
	}
}

// remember writes a pending memory and returns its id.
func (s *skill) remember(text string) string {
	s.Helper()
	var m struct {
		ID string `json:"id"`
	}
	if err := json.Unmarshal([]byte(s.sh("cortex remember --json --pending --type gotcha '"+text+".'")), &m); err != nil || m.ID == "" {
		s.Fatalf("remembering: %v, %+v", err, m)
	}
	return m.ID
}
