package agents

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

func TestItemOf(t *testing.T) {
	m := &memory.Memory{
		ID: "0123456789abcdef", Title: "`make test` fails here", Text: "Use `go test ./...` or `pnpm --filter web lint` before `git push -u`, not `Foo(bar baz)`, `x` or `A sentence`.",
		Files: []string{"a.go", "b/c.go"}, Anchors: []memory.Anchor{{Path: "b/c.go"}}, Triggers: []string{memory.Trigger(memory.TriggerCommand, "make test"), memory.Trigger(memory.TriggerBefore, "git push")},
	}
	want := diary.Item{ID: m.ID, Files: []string{"b/c.go", "a.go"}, Commands: []string{"go test", "pnpm lint"}}
	if diff := cmp.Diff(want, itemOf(m)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// call is one call in a transcript.
type call struct{ tool, input, failed string }

// transcriptOf is a transcript of Claude Code with calls in one turn, and how long
// it is after each line.
func transcriptOf(t *testing.T, session string, says string, calls ...call) (string, []int64) {
	t.Helper()
	var b strings.Builder
	var sizes []int64
	line := func(format string, args ...any) {
		fmt.Fprintf(&b, format+"\n", args...)
		sizes = append(sizes, int64(b.Len()))
	}
	n := 0
	next := func() string {
		n++
		return fmt.Sprintf(`"sessionId":%q,"timestamp":"2026-11-20T10:00:00Z","uuid":"u%d","parentUuid":"u%d"`, session, n, n-1)
	}
	line(`{"type":"user",%s,"message":{"role":"user","content":"please do it"}}`, next())
	for i, c := range calls {
		line(`{"type":"assistant",%s,"message":{"id":"m","type":"message","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":%q,"input":%s}]}}`, next(), i, c.tool, c.input)
		line(`{"type":"user",%s,"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","is_error":%v,"content":"%s"}]}}`, next(), i, c.failed != "", c.failed)
	}
	line(`{"type":"assistant",%s,"message":{"id":"m","type":"message","role":"assistant","content":[{"type":"text","text":%q}]}}`, next(), says)
	path := filepath.Join(t.TempDir(), session+".jsonl")
	if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	return path, sizes
}

// TestUse: what is evidence that a memory was used, and what is none.
func TestUse(t *testing.T) {
	const id memory.ID = "0123456789abcdef"
	bash := func(line, failed string) call { return call{"Bash", fmt.Sprintf(`{"command":%q}`, line), failed} }
	edit := func(path string) call {
		return call{"Edit", fmt.Sprintf(`{"file_path":%q,"old_string":"a","new_string":"b"}`, path), ""}
	}
	item := diary.Item{ID: id, Files: []string{"store/wal.go"}, Commands: []string{"go test"}}
	failing := callKey("make test", "", "")
	for name, c := range map[string]struct {
		shown diary.Showing
		after int // lines of the transcript that were there then
		says  string
		calls []call
		want  string
	}{
		"nothing":                  {diary.Showing{Moment: "prompt"}, 0, "", []call{bash("ls", "")}, ""},
		"its file":                 {diary.Showing{Moment: "prompt"}, 0, "", []call{edit("/work/store/wal.go")}, usedFile},
		"a file of that name":      {diary.Showing{Moment: "prompt"}, 0, "", []call{edit("/work/xstore/wal.go")}, ""},
		"the file it was asked of": {diary.Showing{Moment: "file"}, 0, "", []call{edit("/work/store/wal.go")}, ""},
		"its file, before":         {diary.Showing{Moment: "prompt"}, 3, "", []call{edit("/work/store/wal.go"), bash("ls", "")}, ""},
		"a command it made before": {diary.Showing{Moment: "prompt"}, 3, "", []call{bash("go test ./a", ""), bash("go test ./b", "")}, ""},
		"its command":              {diary.Showing{Moment: "error", Key: failing}, 0, "", []call{bash("make test", "no"), bash("cd x && go test ./...", "")}, usedCommand},
		"not repeated":             {diary.Showing{Moment: "error", Key: failing, Call: "t0"}, 0, "", []call{bash("make test", "no"), bash("ls", "")}, usedSpared},
		"repeated":                 {diary.Showing{Moment: "error", Key: failing, Call: "t0"}, 0, "", []call{bash("make test", "no"), bash("ls", ""), bash("make test", "no")}, ""},
		"nothing done after":       {diary.Showing{Moment: "error", Key: failing, Call: "t0"}, 0, "", []call{bash("make test", "no")}, ""},
		"a prompt spares nothing":  {diary.Showing{Moment: "prompt", Key: failing}, 0, "", []call{bash("ls", "")}, ""},
		"looked up":                {diary.Showing{Moment: "prompt"}, 0, "", []call{bash("cortex show 0123456", "")}, usedNamed},
		"named":                    {diary.Showing{Moment: "start"}, 0, "As memory 0123456 says.", nil, usedNamed},
	} {
		t.Run(name, func(t *testing.T) {
			w := workspacetest.New(t)
			path, sizes := transcriptOf(t, "s-1", c.says, c.calls...)
			c.shown.Items = []diary.Item{item}
			if c.after > 0 {
				c.shown.Offset = sizes[c.after-1]
			}
			if err := w.Diary.NoteShown("s-1", c.shown); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the second time says nothing new
				if _, err := Capture(t.Context(), w, CaptureInput{Path: path, Session: "s-1"}); err != nil {
					t.Fatal(err)
				}
			}
			got := w.Diary.Totals()
			used := 0
			if c.want != "" {
				used = 1
			}
			if got.Memories[id].Used != used || got.Moments[c.shown.Moment].Used != used {
				t.Errorf("%+v", got)
			}
			left := w.Diary.Unused("s-1")
			if (len(left) == 0) != (c.want != "") {
				t.Errorf("unused %+v", left)
			}
		})
	}
}

// TestCallKey: calls that are the same have one key.
func TestCallKey(t *testing.T) {
	if callKey("", "", "") != "" || callKey("ls", "", "") != callKey(" ls\n", "", "") || callKey("ls", "", "") == callKey("", "ls", "") {
		t.Error("keys of calls")
	}
}
