package answer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/exchange"
)

// TestWriteIsSafe: whatever a memory holds, no control character is written raw.
func TestWriteIsSafe(t *testing.T) {
	var b strings.Builder
	if err := Write(&b, map[string]string{"x": "a\x1b[2Jb\x07\x9b31m\u0085\x7f\r <b>"}); err != nil {
		t.Fatal(err)
	}
	if strings.ContainsAny(b.String(), "\x1b\x07\r\u009b\u0085\x7f") || !strings.Contains(b.String(), " <b>") {
		t.Errorf("JSON %q", b.String())
	}
}

// TestWriteIsVisible: tag characters, direction marks and what has no width are
// in no JSON, wherever in a text they stand; emoji stay whole.
func TestWriteIsVisible(t *testing.T) {
	text := "a\U000E0041\u202Eb\u200B c\u2066d\u2028e \u00ad\ufeff❤\ufe0f\u200d🔥 für"
	m := memory.New(memory.Learned, text, text+"\n\u200d\U000E0041", time.Unix(0, 0))
	m.Tags, m.Files = []string{text}, []string{text}
	entry := workspace.Entry{Memory: m}
	var one, list bytes.Buffer
	if err := Write(&one, entry); err != nil {
		t.Fatal(err)
	}
	if err := WriteList(&list, []workspace.Entry{entry}, map[string]string{"x": text}); err != nil {
		t.Fatal(err)
	}
	for _, got := range []string{one.String(), list.String()} {
		if got != memory.Clean(got) {
			t.Errorf("something invisible in %q", got)
		}
		if !strings.Contains(got, "ab cd e ❤\ufe0f\u200d🔥 für") {
			t.Errorf("too much is left out of %q", got)
		}
	}
	if got := Explain(errors.New("no <system-reminder> here")).Error; got != "no ‹system-reminder> here" {
		t.Errorf("an error says %q", got)
	}
}

// TestWriteList encodes as Write does, whatever the number.
func TestWriteList(t *testing.T) {
	for _, n := range []int{0, 1, 2, 3, 255, 1100} {
		entries := make([]workspace.Entry, n)
		for i := range entries {
			m := memory.New(memory.Learned, fmt.Sprintf("Number %d \u0085 <b>", i), "a \x7f b \u00a0 c \u009b", time.Unix(int64(i), 0))
			entries[i] = workspace.Entry{Memory: m}
		}
		rest := map[string]any{"view": "main", "problems": []string{"p \u0080"}}
		var got, want bytes.Buffer
		if err := WriteList(&got, entries, rest); err != nil {
			t.Fatal(err)
		}
		if err := Write(&want, map[string]any{"memories": entries, "view": "main", "problems": []string{"p \u0080"}}); err != nil {
			t.Fatal(err)
		}
		if got.String() != want.String() {
			t.Fatalf("%d memories: got\n%.300s\nwant\n%.300s", n, got.String(), want.String())
		}
		if bytes.ContainsAny(got.Bytes(), "\u007f\u0080\u0085\u009b") {
			t.Errorf("%d memories: a control character is written raw", n)
		}
	}
}

func TestExplain(t *testing.T) {
	for name, tt := range map[string]struct {
		err  error
		kind string
		hint string // the beginning of it
	}{
		"plain":        {errors.New("x"), "error", ""},
		"sentinel":     {fmt.Errorf("opening: %w", gitops.ErrNotRepository), "not-a-repository", "Cortex keeps memories in a git repository"},
		"own hint":     {fmt.Errorf("a: %w", WithHint(workspace.ErrNotFound, "look there")), "not-found", "look there"},
		"without kind": {workspace.ErrEmpty, "error", "cortex remember"},
		"remote":       {&gitops.RemoteError{Remote: "hub", Kind: gitops.RemoteAuth, Err: errors.New("x")}, "remote-" + gitops.RemoteAuth, "git ls-remote hub must work first"},
		"locked":       {&gitops.RemoteError{Remote: "hub", Kind: gitops.RemoteLocked, Err: errors.New("x")}, "remote-locked", "try again when the other git has ended"},
		"malformed":    {&gitops.RemoteError{Remote: "hub", Kind: gitops.RemoteMalformed, Err: errors.New("x")}, "remote-malformed", "nothing of it was taken in"},
		"removal":      {&exchange.MassRemoval{}, KindMassRemoval, "to see them: cortex sync --dry-run"},
		"no file":      {&fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}, "no-such-file", ""},
		"interrupted":  {fmt.Errorf("asking: %w", errors.Join(context.Canceled, fs.ErrNotExist)), KindInterrupted, ""},
		"odd branch":   {&workspace.ElsewhereError{Branch: "x;curl$IFS.evil", Gone: true}, "error", "to make it pending here: cortex review --rehome 'x;curl$IFS.evil'"},
		"elsewhere":    {&workspace.ElsewhereError{Branch: "feature/x"}, "error", "to accept it there: git switch feature/x"},
	} {
		t.Run(name, func(t *testing.T) {
			got := Explain(tt.err)
			if got.Kind != tt.kind || !strings.HasPrefix(got.Hint, tt.hint) || (tt.hint == "") != (got.Hint == "") {
				t.Errorf("got %+v", got)
			}
		})
	}
	if got := Explain(errors.New("no file a\x1b[2J")); strings.Contains(got.Error, "\x1b") {
		t.Errorf("%q acts on a terminal", got.Error)
	}
}

// TestNoNull: an answer about nothing has empty lists, and no null.
func TestNoNull(t *testing.T) {
	var b bytes.Buffer
	for _, v := range []any{
		NewLanding(&workspace.Landing{}), NewSessions(nil), NewTopics(nil), NewDismissed(nil), NewLog(nil, nil),
		NewPages(nil, "off"), NewChecks(nil), NewSteps(nil, true, ""), NewIndexState(nil),
		NewBackfilled(agents.Backfilled{}, time.Second),
	} {
		if err := Write(&b, v); err != nil {
			t.Fatal(err)
		}
	}
	if strings.Contains(b.String(), "null") {
		t.Errorf("null in\n%s", b.String())
	}
	want := `{"blocked":"","landed":[],"pages":[],"refused":[{"path":"a","reason":"b"}],"waiting":0}`
	b.Reset()
	if err := Write(&b, NewLanding(&workspace.Landing{Refused: []gitops.Refusal{{Path: "a", Reason: "b"}}})); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want+"\n", b.String()); diff != "" {
		t.Errorf("a landing (-want +got):\n%s", diff)
	}
}
