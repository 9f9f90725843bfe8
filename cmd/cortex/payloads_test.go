package main

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// hookCall matches where a script runs a hook of an agent with a payload that stands in it.
var hookCall = regexp.MustCompile(`(?m)^stdin \$WORK/(\S+)\nexec cortex hook (\S+) --agent (claude-code|codex|gemini-cli|copilot-cli)$`)

// TestPayloadsAreReal: a payload that a script of an agent was given by hand has the members that
// the agent was recorded to send at the event, all those that it always sends and no other but
// "later", which stands for what it may send one day. Only the words are ours. Events at which no
// payload was recorded are passed over.
func TestPayloadsAreReal(t *testing.T) {
	for agent, client := range map[string]string{"codex": "codex", "gemini-cli": "gemini", "copilot-cli": "copilot"} {
		always, ever := recordedMembers(t, client)
		file := filepath.Join("testdata", "script", "agent-"+client+".txtar")
		script, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checked := 0
		for _, call := range hookCall.FindAllStringSubmatch(string(script.Comment), -1) {
			i := slices.IndexFunc(script.Files, func(f txtar.File) bool { return f.Name == call[1] })
			if i < 0 || call[3] != agent || ever[call[2]] == nil {
				continue
			}
			got := membersOf(t, script.Files[i].Data)
			checked++
			for name := range got {
				if !ever[call[2]][name] && name != "later" {
					t.Errorf("%s: %s, %s: the agent sends no %q", file, call[1], call[2], name)
				}
			}
			for name := range always[call[2]] {
				if !got[name] {
					t.Errorf("%s: %s, %s: the agent always sends %q", file, call[1], call[2], name)
				}
			}
		}
		if checked == 0 {
			t.Errorf("%s: no payload is like one that was recorded", file)
		}
	}
}

// recordedMembers are the members of the payloads of each event that a client sent in its
// recordings: those of all, and of any.
func recordedMembers(t *testing.T, client string) (always, ever map[string]map[string]bool) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(recordings(), client+"-*", "hooks.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no recordings of %s: %v", client, err)
	}
	always, ever = map[string]map[string]bool{}, map[string]map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for text := range strings.Lines(string(data)) {
			var line recorded
			if err := json.Unmarshal([]byte(text), &line); err != nil {
				t.Fatal(err)
			}
			if line.Event == "" {
				continue
			}
			sent := membersOf(t, line.Payload)
			if ever[line.Event] == nil {
				always[line.Event], ever[line.Event] = maps.Clone(sent), sent
				continue
			}
			maps.DeleteFunc(always[line.Event], func(name string, _ bool) bool { return !sent[name] })
			maps.Copy(ever[line.Event], sent)
		}
	}
	return always, ever
}

// membersOf are the names of the members of an object.
func membersOf(t *testing.T, data []byte) map[string]bool {
	t.Helper()
	var object map[string]json.RawMessage
	if err := json.Unmarshal(data, &object); err != nil {
		t.Fatal(err)
	}
	out := map[string]bool{}
	for name := range object {
		out[name] = true
	}
	return out
}
