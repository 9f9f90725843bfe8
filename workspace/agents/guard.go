package agents

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/guard"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
	"github.com/git-cortex/cortex/workspace/internal/jsontext"
)

// guarded returns what a guard in force answers to the call of a payload, nil for nothing. It asks
// no git, and reads the files of those guards alone that the call may concern.
func guarded(place hookstate.Place, d *diary.Diary, event string, p *HookPayload) ([]byte, error) {
	made := callOf(p.ToolInput)
	call := callGuarded(place.Root, made)
	guards := guard.InForce(place.Root, place.Cache(), &call)
	if len(guards) == 0 {
		return nil, nil
	}
	if made.Content != "" { // what is written over goes
		present, _ := atomicfile.Read(filepath.Join(place.Root, filepath.FromSlash(call.Files[0])), mostPresent)
		call.Removed = string(present)
	}
	ran := guard.Session(place.Cache(), p.SessionID)
	if event != "pre-tool-use" {
		return nil, ran.Note(guards, &call, event == "post-tool-use" && p.failed() == "")
	}
	_, branch, _ := strings.Cut(gitops.FirstLine(filepath.Join(place.Git, "HEAD")), "refs/heads/")
	if g := guard.Strictest(guards, &call, &guard.Site{Branch: branch, Ran: ran.Ran}); g != nil {
		if d.Speaks(p.SessionID, p.moment(recall.Command)) {
			_ = d.NoteShown(p.SessionID, diary.Showing{Moment: diary.GuardMoment + g.Name}) // else it is not counted
		}
		return answerGuarded(p, g)
	}
	return nil, ran.Note(guards, &call, true)
}

// callGuarded is a call as guards see it, with those of the other files of a patch.
func callGuarded(root string, c toolCall) guard.Call {
	out := guard.Call{Command: c.Command}
	for _, one := range append([]toolCall{c}, c.Beside...) {
		if one.New+one.Content+one.Old == "" {
			continue // it writes nothing
		}
		out.Files = append(out.Files, relativeTo(root, one.File))
		out.Added += one.New + one.Content
		out.Removed += one.Old
	}
	return out
}

// answerGuarded returns the answer of a hook to a call that a guard speaks about. A warning is a text; Gemini
// CLI shows it to the user, and Cursor, which takes one only with a permission, is not told.
func answerGuarded(p *HookPayload, g *guard.Guard) ([]byte, error) {
	switch {
	case g.Action != guard.Warn:
		return g.Answer(p.Agent)
	case p.Agent == transcript.Gemini:
		return jsontext.Encode(map[string]string{"systemMessage": g.Reason()})
	}
	return say(p, recall.Command, g.Reason())
}

// TryGuards says how often guards would have spoken in past sessions, see [BackfillInput]. A branch
// is the one that a session began on.
func TryGuards(ctx context.Context, w *workspace.Workspace, in BackfillInput,
	guards []*guard.Guard,
) (*guard.Trial, error) {
	t, redactor := guard.NewTrial(guards), w.CaptureRedactor(ctx)
	t.Show = func(said string) string { return memory.Cut(memory.OneLine(redactor.Text(said)), 160) }
	t.Relative = func(path string) string { return relativeTo(w.Repo.Root, path) }
	files, err := newCapturer(w).transcripts(in)
	for _, f := range files {
		t.Session(ctx, f.path, f.branch)
	}
	return t, err
}
