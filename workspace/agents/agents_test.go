package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
	"github.com/google/go-cmp/cmp"
)

func TestParseHookPayload(t *testing.T) {
	got, err := ParseHookPayload([]byte(`{"session_id":"s","transcript_path":"/t","cwd":"/c","hook_event_name":"Stop","stop_hook_active":true,"effort":{"level":1},"prompt":"p","source":"resume","last_assistant_message":"m"}`))
	want := HookPayload{SessionID: "s", TranscriptPath: "/t", Cwd: "/c", Event: "Stop", Source: "resume", Prompt: "p", LastMessage: "m"}
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for _, bad := range []string{"", " \n", "null?", "[]", "7", `"x"`, `{"session_id":`, `{"session_id":7}`, "{} {}", "\xff"} {
		if _, err := ParseHookPayload([]byte(bad)); err == nil {
			t.Errorf("%q: want an error", bad)
		}
	}
}

// TestSessionStart: the briefing is handed over once, and what it held is not
// given again at a prompt.
func TestSessionStart(t *testing.T) {
	ctx := t.Context()
	w := workspacetest.New(t)
	workspacetest.Put(t, w, workspacetest.Sure(memory.Preference, "The gauge is read by poll, since the board has no interrupts"))
	hook := func(event, prompt string) string {
		t.Helper()
		out, o := Hook(ctx, w, event, "claude-code", HookPayload{SessionID: "s", Prompt: prompt})
		if o.Err != nil {
			t.Fatal(o.Err)
		}
		return string(out)
	}
	if out := hook("session-start", ""); !strings.Contains(out, "1 memory") || strings.Contains(out, "gauge") {
		t.Errorf("before init: %s", out)
	}
	workspacetest.Git(t, w, "config", "cortex.enabled", "true")
	var err error
	if w, err = w.Refresh(ctx); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(w.Repo.Root, ".claude"), 0o777); err != nil {
		t.Fatal(err)
	}
	if out := hook("session-start", ""); !strings.Contains(out, "gauge is read by poll") {
		t.Errorf("the briefing: %s", out)
	}
	if copied := workspacetest.Read(t, w, workspace.BriefingFile); !strings.Contains(copied, "gauge is read by poll") {
		t.Errorf("its copy: %s", copied)
	}
	if out := hook("user-prompt-submit", "is the gauge read by poll or interrupts?"); out != "" {
		t.Errorf("given again: %s", out)
	}
	if out := hook("user-prompt-submit", "hello"); out != "" {
		t.Errorf("an answer to nothing: %s", out)
	}
}

// TestTwoHooksAtOnce: where the plugin of an agent and the project both have hooks,
// the agent is told once, and what the session says is kept once.
func TestTwoHooksAtOnce(t *testing.T) {
	first := workspacetest.New(t)
	workspacetest.Git(t, first, "config", "cortex.enabled", "true")
	workspacetest.Put(t, first, workspacetest.Sure(memory.Decision, "The gauge is read by poll, since the board has no interrupts"))
	for session := range 3 {
		p := HookPayload{SessionID: fmt.Sprint("s-", session), Source: "startup", TranscriptPath: workspacetest.Transcript(t, fmt.Sprint("s-", session), fmt.Sprintf("[MEMORY: decision] Pump %d is primed by hand, since its valve leaks.", session))}
		asked := p
		asked.SessionID, asked.Prompt = "other-"+p.SessionID, "is the gauge read by poll or interrupts?"
		for event, p := range map[string]HookPayload{"session-start": p, "user-prompt-submit": asked, "stop": p} {
			said, done := make(chan string), make(chan error)
			const hooks = 4
			for range hooks {
				w := workspacetest.Open(t, first.Repo.Root)
				go func() {
					out, o := Hook(t.Context(), w, event, "claude-code", p)
					said <- string(out)
					done <- o.Err
				}()
			}
			spoken := 0
			for range hooks {
				if out := <-said; out != "" {
					spoken++
				}
				if err := <-done; err != nil {
					t.Error(event, err)
				}
			}
			if want := 1; event == "stop" && spoken > 0 || event != "stop" && spoken != want {
				t.Errorf("%s of session %d: %d hooks spoke", event, session, spoken)
			}
		}
	}
	v := workspacetest.View(t, workspacetest.Open(t, first.Repo.Root), workspace.ViewOptions{})
	if len(v.Items) != 1+3 {
		t.Errorf("%d memories", len(v.Items))
	}
}
