package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"go.yaml.in/yaml/v3"

	"github.com/git-cortex/cortex/cmd/internal/manual"
)

// TestDemo: the story is what happens, and its folder is gone afterwards.
func TestDemo(t *testing.T) {
	s := newScene(t)
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	s.wrote.Reset()
	s.do(t, 0, "demo", "--json")
	var got struct {
		Answers     []told
		Certificate struct{ Files []any }
	}
	if err := json.Unmarshal(s.wrote.Bytes(), &got); err != nil || len(got.Answers) != 3 || len(got.Certificate.Files) != 2 {
		t.Fatalf("%v: %s", err, s.wrote.String())
	}
	for i, want := range []int{3, 1, 2} { // Alice, Bob, Alice after the purge
		if a := got.Answers[i]; len(a.Results) != want {
			t.Errorf("%s is told %+v", a.Caller, a.Results)
		}
	}
	s.wrote.Reset()
	s.do(t, 0, "demo")
	said := s.wrote.String()
	if !strings.Contains(said, "bob is answered from 2 memories:") || strings.Count(said, "\n") > 40 {
		t.Errorf("the story is\n%s", said)
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("the demo leaves %v, %v", left, err)
	}
}

// read reads a file of the repository.
func read(t *testing.T, name ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, name...)...))
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// understood reports what is wrong with a command line of the program.
func understood(words []string) error {
	c, rest, err := newRoot(&program{}).Find(words)
	if err == nil {
		err = c.ParseFlags(rest)
	}
	if err == nil {
		err = c.ValidateArgs(c.Flags().Args())
	}
	return err
}

// TestDocumentedCommands: every line of docs/hub.md, of the examples and of the files for containers that calls
// cortex-hub is understood.
func TestDocumentedCommands(t *testing.T) {
	texts := []string{read(t, "docs", "hub.md"), read(t, "docs", "hub", "compose.yaml"), read(t, "docs", "hub", "Containerfile")}
	manual.Each(newRoot(&program{}), func(c *cobra.Command) { texts = append(texts, c.Example) })
	line := regexp.MustCompile(`(?m)^(?:[^#\n]*[ |&])?cortex-hub ((?:add|remove|serve|login|status|sweep|rebuild|verify|restore|purge|audit|demo|--).*)$`)
	quoted := regexp.MustCompile(`"[^"]*"`)
	seen := 0
	for _, m := range line.FindAllStringSubmatch(strings.Join(texts, "\n"), -1) {
		for _, call := range strings.Split(m[1], "&& cortex-hub ") {
			if strings.Contains(call, "`") || strings.Contains(call, "|") {
				continue // prose and tables
			}
			call, _, _ = strings.Cut(strings.TrimRight(call, " &"), "  #")
			seen++
			if err := understood(strings.Fields(quoted.ReplaceAllString(call, "TEXT"))); err != nil {
				t.Errorf("cortex-hub %s: %v", call, err)
			}
		}
	}
	if seen < 25 {
		t.Errorf("only %d command lines were found", seen)
	}
}

// TestContainer: what the files for containers name is there, and fits together. Nothing is built here.
func TestContainer(t *testing.T) {
	var compose struct {
		Services map[string]struct {
			Build          struct{ Context, Dockerfile string }
			Volumes, Ports []string
			Command, Image string
			NetworkMode    string `yaml:"network_mode"`
		}
	}
	if err := yaml.NewDecoder(strings.NewReader(read(t, "docs", "hub", "compose.yaml"))).Decode(&compose); err != nil {
		t.Fatal(err)
	}
	hub, proxy := compose.Services["hub"], compose.Services["proxy"]
	top := filepath.Join("..", "..", "docs", "hub", filepath.FromSlash(hub.Build.Context))
	container, err := os.ReadFile(filepath.Join(top, filepath.FromSlash(hub.Build.Dockerfile)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(top, "go.mod")); err != nil {
		t.Errorf("the context of the build is not this repository: %v", err)
	}
	store := regexp.MustCompile(`ENV CORTEX_HUB_STORE=(\S+)`).FindSubmatch(container)
	if store == nil || len(hub.Volumes) != 1 || !strings.HasPrefix(hub.Volumes[0], "./data:"+string(store[1])) {
		t.Errorf("the store is %q, and the volume %q", store, hub.Volumes)
	}
	if proxy.NetworkMode != "service:hub" || !strings.HasSuffix(proxy.Command, "--to "+usualAddress) {
		t.Errorf("the proxy is %+v, and the hub listens on %s", proxy, usualAddress)
	}
	built := regexp.MustCompile(`go build .* -o (/\S+) \./(\S+)`).FindSubmatch(container)
	if built == nil || !bytes.Contains(container, append([]byte("COPY --from=build "), built[1]...)) {
		t.Fatalf("the image builds and copies %q", built)
	}
	if _, err := os.Stat(filepath.Join(top, filepath.FromSlash(string(built[2])), "main.go")); err != nil {
		t.Error(err)
	}
	goes := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(read(t, "go.mod"))
	if !bytes.Contains(container, []byte("golang:"+goes[1]+" AS build")) {
		t.Errorf("the image is not built with Go %s", goes[1])
	}
	if !bytes.Contains(container, []byte(`ENTRYPOINT ["cortex-hub"]`)) || !bytes.Contains(container, []byte(`CMD ["serve"]`)) {
		t.Error("the image does not serve")
	}
}

// TestTenLines: what docs/hub.md writes as settings is read, and no path to the first answer is longer than ten lines.
func TestTenLines(t *testing.T) {
	page := read(t, "docs", "hub.md")
	for _, m := range regexp.MustCompile(`echo '(\{"[^']*\})' >`).FindAllStringSubmatch(page, -1) {
		if err := readSettings([]byte(m[1]), &settings{}); err != nil {
			t.Errorf("%s: %v", m[1], err)
		}
	}
	if err := readSettings([]byte(`{"auditDays": 9}`), &settings{}); err == nil || !strings.Contains(err.Error(), "auditDays") {
		t.Errorf("of a key that is not known it says: %v", err)
	}
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(page, -1) {
		if strings.Contains(block[1], "/v1/search") && strings.Count(block[1], "\n") > 10 {
			t.Errorf("more than ten lines:\n%s", block[1])
		}
	}
}
