package transcript

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestFolders(t *testing.T) {
	if got := Folders("", "/r", true); got != nil {
		t.Errorf("without a home: %q", got)
	}
	want := []string{
		filepath.Join("/h", ".claude", "projects", "-src-my-app-v1"),
		filepath.Join("/h", ".cursor", "projects", "src-my-app-v1", "agent-transcripts"),
	}
	if got := Folders("/h", "/src/my.app_v1", false); !slices.Equal(got, want) {
		t.Errorf("of one repository: %q, want %q", got, want)
	}
	if got := Folders("/h", "/r", true); len(got) != 6 || got[0] != filepath.Join("/h", ".claude", "projects") {
		t.Errorf("of every repository: %q", got)
	}
}

func TestBelow(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"b.jsonl", "a/c.json", "a/notes.md", "b/subagents/agent-d.jsonl", "b/subagents/agent-d.meta.json",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		err := os.MkdirAll(filepath.Dir(path), 0o777)
		if err == nil {
			err = os.WriteFile(
				path,
				[]byte(
					`{"type":"user","isSidechain":false,"parentUuid":null,"userType":"external","sessionId":"s","uuid":"u1","timestamp":"2026-11-03T09:00:00.000Z","cwd":"/src","gitBranch":"main","message":{"role":"user","content":"Hi"}}`+"\n",
				),
				0o600,
			)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	sub := filepath.Join(dir, "b", "subagents", "agent-d.jsonl")
	want := []string{filepath.Join(dir, "a", "c.json"), sub, filepath.Join(dir, "b.jsonl")}
	if got := Below(dir); !slices.Equal(got, want) {
		t.Errorf("found %q, want %q", got, want)
	}
	if got := Subagents(want[2]); !slices.Equal(got, []string{sub}) {
		t.Errorf("subagents %q", got)
	}
	if id := IdentifyFile(want[2]); id.Session != "s" || id.Cwd != "/src" {
		t.Errorf("identified %+v", id)
	}
	if id := IdentifyFile(filepath.Join(dir, "none")); id != (Identity{}) {
		t.Errorf("a file that is not there is %+v", id)
	}
}
