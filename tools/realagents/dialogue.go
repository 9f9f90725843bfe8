package main

import (
	"cmp"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/tools/mockmodel"
)

// dialogues are sessions whose transcripts the tests of capture read: CLIENT-NAME.json each.
//
//go:embed dialogues
var dialogues embed.FS

// dialogue is a session in words of ours: what its user says, and what the model answers.
type dialogue struct {
	Version  string                      `json:"version"` // of the client, where not any writes such a transcript
	Dir      string                      `json:"dir"`     // that the transcript has for the repository
	Branch   string                      `json:"branch"`
	Files    map[string]string           `json:"files"`
	Programs map[string]string           `json:"programs"` // scripts, first on the PATH
	Turns    []exchange                  `json:"turns"`
	Tasks    map[string]mockmodel.Script `json:"tasks"` // what subagents answer to a prompt
}

// exchange is a turn of a dialogue: a prompt, answers to what the client asks the user
// meanwhile, and the script of the model. A call that has the text of Refuse is refused; one
// that has the text of Stop ends the turn.
type exchange struct {
	Prompt  string              `json:"prompt"`
	Plan    bool                `json:"plan"` // in the mode of Codex that makes plans
	Refuse  string              `json:"refuse"`
	Stop    string              `json:"stop"`
	Answers map[string][]string `json:"answers"` // to questions of Codex, by their ids
	Steps   mockmodel.Script    `json:"steps"`
}

// transcribe runs the dialogues of the clients, and writes CLIENT-VERSION-NAME with the ending
// of its transcript to a folder for each.
func (w *world) transcribe(ctx context.Context, folder string) error {
	files, err := dialogues.ReadDir("dialogues")
	if err != nil {
		return err
	}
	var names []string
	for _, file := range files {
		_, name, _ := strings.Cut(strings.TrimSuffix(file.Name(), ".json"), "-")
		names = append(names, name)
	}
	for _, file := range files {
		client, name, _ := strings.Cut(strings.TrimSuffix(file.Name(), ".json"), "-")
		i := slices.IndexFunc(agents(), func(a *agent) bool { return a.name == client })
		if i < 0 || !w.takes(client, clientNames()) || !w.takes(name, names) {
			continue
		}
		text, err := dialogues.ReadFile("dialogues/" + file.Name())
		if err != nil {
			return err
		}
		a := agents()[i]
		a.version = versionOf(w.folder(a))
		var d dialogue
		if err := json.Unmarshal(text, &d); err != nil {
			return fmt.Errorf("%s: %w", file.Name(), err)
		}
		if d.Version != "" && d.Version != a.version {
			fmt.Printf("%s is of %s %s\n", file.Name(), a.title, d.Version)
			continue
		}
		if err := w.transcribeOne(ctx, a, name, string(text), folder); err != nil {
			return fmt.Errorf("%s, %s: %w", a.title, name, err)
		}
		fmt.Printf("%s %s: %s\n", a.title, a.version, name)
	}
	return nil
}

func (w *world) transcribeOne(ctx context.Context, a *agent, name, text, folder string) error {
	s, err := w.open(ctx, a, name)
	if err != nil {
		return err
	}
	defer s.stop()
	var d, kept dialogue
	texts := strings.ReplaceAll(text, "$REPO", s.repo())
	if err := errors.Join(json.Unmarshal([]byte(texts), &d), json.Unmarshal([]byte(text), &kept)); err != nil {
		return err
	}
	if err := d.begin(ctx, s); err != nil {
		return err
	}
	if err := a.converse(ctx, s, d.Turns); err != nil {
		return err
	}
	found, err := filepath.Glob(filepath.Join(s.dir, a.transcripts))
	if err != nil || len(found) == 0 {
		return errors.Join(errors.New("it wrote no transcript"), err)
	}
	file := slices.MaxFunc(found, func(a, b string) int { return cmp.Compare(size(a), size(b)) })
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	s.known = kept.words()
	named := strings.NewReplacer("$REPO", d.Dir, "$HOME", path.Dir(d.Dir), "$TMP", "/tmp")
	to := filepath.Join(folder, a.name+"-"+a.version+"-"+name+filepath.Ext(file))
	return os.WriteFile(to, []byte(named.Replace(string(s.plainLines(data)))), 0o666)
}

// size is the length of a file: some clients begin another transcript beside the one they use.
func size(file string) int64 {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return info.Size()
}

// begin writes the files and the scripts of a dialogue. Its project has no memories yet.
func (d *dialogue) begin(ctx context.Context, s *session) error {
	if err := os.RemoveAll(filepath.Join(s.repo(), ".cortex", "memories")); err != nil {
		return err
	}
	for name, text := range d.Files {
		if err := writeFile(filepath.Join(s.repo(), name), text); err != nil {
			return err
		}
	}
	for name, text := range d.Programs {
		if err := writeFile(filepath.Join(s.dir, "programs", name), text); err != nil {
			return err
		}
	}
	search := "export PATH=" + filepath.Join(s.dir, "programs") + ":$PATH\n" // login shells begin anew
	if err := s.write(".profile", search); err != nil {
		return err
	}
	s.model.Scripts, s.model.Prompts = map[string]mockmodel.Script{}, map[string]string{}
	add := func(prompt string, script mockmodel.Script) {
		name := fmt.Sprint("said", len(s.model.Scripts))
		s.model.Scripts[name], s.model.Prompts[prompt] = script, name
	}
	for _, t := range d.Turns {
		add(t.Prompt, t.Steps)
	}
	for prompt, script := range d.Tasks {
		add(prompt, script)
	}
	return s.all(ctx, []string{"git", "checkout", "-q", "-b", d.Branch}, []string{"git", "add", "-A"},
		[]string{"git", "commit", "-q", "-m", "start"})
}

func writeFile(file, text string) error {
	return errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o777))
}

// words are the texts of a dialogue, and their lines.
func (d *dialogue) words() []string {
	var out []string
	var add func(v any)
	add = func(v any) {
		switch v := v.(type) {
		case string:
			out = append(out, v)
			out = append(out, strings.Split(v, "\n")...)
		case []any:
			for _, inner := range v {
				add(inner)
			}
		case map[string]any:
			for _, inner := range v {
				add(inner)
			}
		}
	}
	text, _ := json.Marshal(d)
	var all any
	_ = json.Unmarshal(text, &all)
	add(all)
	return withQuoted(out)
}

// editing has the user of an editor say what is to be said, over the Agent Client Protocol.
func editing(args ...string) func(ctx context.Context, s *session, turns []exchange) error {
	return func(ctx context.Context, s *session, turns []exchange) error {
		return s.edit(ctx, args, func(e *editor) error {
			return e.converse(s.repo(), func(say func(text string) error) error {
				for _, t := range turns {
					e.answer = func(m message) map[string]any { return t.permits(e, m) }
					if err := say(t.Prompt); err != nil {
						return err
					}
				}
				return nil
			})
		})
	}
}

// permits is the answer to the question whether a call may be made, nil to any other.
func (t exchange) permits(e *editor, m message) map[string]any {
	if m.Method != "session/request_permission" {
		return nil
	}
	asked, _ := json.Marshal(m.Params)
	if t.Stop != "" && strings.Contains(string(asked), t.Stop) {
		session, _ := m.Params.(map[string]any)
		_ = e.in.Encode(message{Version: "2.0", Method: "session/cancel", Params: map[string]any{"sessionId": session["sessionId"]}})
		return map[string]any{"outcome": map[string]any{"outcome": "cancelled"}}
	}
	wanted := `"(allow_once)"`
	if t.Refuse != "" && strings.Contains(string(asked), t.Refuse) {
		wanted = `"(reject_once)"`
	}
	var of struct {
		Options []struct{ OptionID, Kind string }
	}
	params, _ := json.Marshal(m.Params)
	_ = json.Unmarshal(params, &of)
	for _, o := range of.Options {
		if regexp.MustCompile(wanted).MatchString(`"` + o.Kind + `"`) {
			return map[string]any{"outcome": map[string]any{"outcome": "selected", "optionId": o.OptionID}}
		}
	}
	return nil
}

// serveCodex has the user of an editor say what is to be said, over the protocol of Codex.
func serveCodex(ctx context.Context, s *session, turns []exchange) error {
	args := []string{
		"app-server", "-c", "tools.update_plan.enabled=true", "--enable", "default_mode_request_user_input",
	}
	return s.edit(ctx, args, func(e *editor) error {
		_, err := e.ask("initialize", map[string]any{
			"clientInfo":   map[string]any{"name": "editor", "title": "Editor", "version": "1"},
			"capabilities": map[string]any{"experimentalApi": true},
		})
		if err != nil {
			return err
		}
		begun, err := e.ask("thread/start", map[string]any{"cwd": s.repo(), "approvalPolicy": "untrusted"})
		if err != nil {
			return err
		}
		thread, _ := begun["thread"].(map[string]any)
		for _, t := range turns {
			e.answer = t.decides
			if err := t.say(e, thread["id"]); err != nil {
				return err
			}
		}
		return nil
	})
}

// say begins a turn of Codex, and waits for its end.
func (t exchange) say(e *editor, thread any) error {
	ended := func(m message) bool { return m.Method == "turn/completed" }
	if t.Prompt == "/compact" {
		_, err := e.ask("thread/compact/start", map[string]any{"threadId": thread})
		if err == nil {
			_, err = e.await("the end of the compaction", ended)
		}
		return err
	}
	mode := map[bool]string{true: "plan", false: "default"}[t.Plan]
	settings := map[string]any{"model": "gpt-5.5", "reasoning_effort": nil, "developer_instructions": nil}
	_, err := e.ask("turn/start", map[string]any{
		"threadId":          thread,
		"input":             []any{map[string]any{"type": "text", "text": t.Prompt, "text_elements": []any{}}},
		"collaborationMode": map[string]any{"mode": mode, "settings": settings},
	})
	if err != nil {
		return err
	}
	_, err = e.await("the end of the turn", ended)
	return err
}

// decides is the answer to what Codex asks its user.
func (t exchange) decides(m message) map[string]any {
	asked, _ := json.Marshal(m.Params)
	switch {
	case strings.HasSuffix(m.Method, "/requestUserInput"):
		answers := map[string]any{}
		for name, chosen := range t.Answers {
			answers[name] = map[string]any{"answers": chosen}
		}
		return map[string]any{"answers": answers}
	case !strings.HasSuffix(m.Method, "/requestApproval"):
		return nil
	case t.Stop != "" && strings.Contains(string(asked), t.Stop):
		return map[string]any{"decision": "cancel"}
	case t.Refuse != "" && strings.Contains(string(asked), t.Refuse):
		return map[string]any{"decision": "decline"}
	}
	return map[string]any{"decision": "accept"}
}
