package agents

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
	"github.com/git-cortex/cortex/workspace/internal/notices"
	"github.com/git-cortex/cortex/workspace/internal/pages"
)

// introduce speaks for a repository whose clone has not been set up: one line
// with a count, and no text of the repository's.
func (h *hooks) introduce(ctx context.Context, agent string) ([]byte, error) {
	if !h.capturer.tree.Exists(workspace.MemoriesDir) {
		return nil, nil
	}
	tree, err := h.w.Index.Scan(ctx, h.capturer.tree.Path(workspace.MemoriesDir))
	if err != nil || len(tree.Items) == 0 {
		return nil, err
	}
	return Say(agent, fmt.Sprintf(
		"This repository holds %s in .cortex/. They are not shown before `cortex init` has been run in this clone; "+
			"`cortex search` works already.",
		notices.Memories(len(tree.Items))))
}

// indexedAtStart bounds what a hook does about memories that the index lacks, as
// after a clone of many: each adds a slice, and answers from what is there.
const indexedAtStart = 1000

// start reads what earlier sessions left unread, and hands over the briefing. Errors stop
// neither.
func (h *hooks) start(ctx context.Context, p HookPayload) ([]byte, error) {
	missed := h.capturer.catchUp(ctx, &p)
	out, failed := h.brief(ctx, &p)
	out, unread := h.withUnread(out, &p)
	return out, errors.Join(missed, failed, unread)
}

// brief refreshes the briefing and hands it over, except where the agent has it still, or
// gets it with the first prompt.
func (h *hooks) brief(ctx context.Context, p *HookPayload) ([]byte, error) {
	if text := h.briefed(p); text != "" {
		return h.repeat(p, text)
	}
	b, v, err := h.renew(ctx, p)
	if v == nil {
		return nil, err
	}
	err = errors.Join(err, h.keepNotes(ctx))
	if h.remembers(p) || !h.w.Config.Recalls("start") {
		return nil, err
	}
	if p.Agent == transcript.Gemini {
		return nil, errors.Join(err, h.w.Diary.BegunUnbriefed(p.SessionID))
	}
	if b.Text != "" && !h.w.Diary.Speaks(p.SessionID, p.moment(atStart)) {
		return nil, err // another hook of ours says it
	}
	err = errors.Join(err, h.begun(p))
	if b.Text == "" {
		return nil, errors.Join(err, h.note(p, diary.StartMoment, 0, nil))
	}
	out, failed := Say(p.Agent, b.Text)
	return out, errors.Join(err, failed, h.noteBriefing(p, b, itemsIn(ctx, h.w, v, b.Shown)))
}

// renew makes the briefing anew, the copy of it in the working tree, and what later hooks answer
// from. Without a view there is none.
func (h *hooks) renew(ctx context.Context, p *HookPayload) (projection.Briefing, *workspace.View, error) {
	state := h.w.RecallState()
	b, v, err := h.door(ctx, p, projection.HookBytes)
	if err != nil {
		return b, nil, err
	}
	return b, v, errors.Join(h.writeBriefing(b), h.prepare(ctx, v, state))
}

// door is the briefing that a session begins with, within so many bytes. What the file of instructions
// says that its agent reads is not said again.
func (h *hooks) door(ctx context.Context, p *HookPayload, most int) (projection.Briefing, *workspace.View, error) {
	tree, _ := h.w.Tree() // nothing is read without one
	return h.w.Brief(ctx, workspace.BriefOptions{
		View: workspace.ViewOptions{Soon: true}, Door: true, Tokens: min(h.w.Config.BriefTokens, projection.DoorTokens),
		Bytes: most, Said: h.unhooked(ctx), Told: h.told(p), Read: pages.SurfaceOf(tree, p.Agent),
	})
}

// Opening packs the briefing that a session of Claude Code would begin with now. It does not count as told.
func Opening(ctx context.Context, w *workspace.Workspace) (projection.Briefing, error) {
	b, _, err := (&hooks{w: w}).door(ctx, &HookPayload{Agent: transcript.ClaudeCode}, projection.HookBytes)
	return b, err
}

// remembers reports whether the agent has the briefing still that the session was given.
// What is said to Copilot CLI as a session begins is gone when it is resumed, and what is
// said with a prompt is not.
func (h *hooks) remembers(p *HookPayload) bool {
	return p.Source == "resume" && (p.Agent != transcript.Copilot || h.w.Diary.Briefed(p.SessionID).Key == atPrompt)
}

// prepare makes ready what later hooks of the session answer from: a slice of the index,
// and the table of recall where its tool calls would not make it.
func (h *hooks) prepare(ctx context.Context, v *workspace.View, state string) error {
	_, err := h.w.Index.Advance(ctx, v.Index, indexedAtStart)
	if root := h.w.Repo.Root; root == "" || !hookstate.HeavyWith(root, v.Files()) {
		return err
	}
	table, failed := h.table(ctx, v, state)
	return errors.Join(err, failed, table.Close())
}

// writeBriefing keeps a copy where the agent finds it when it opens .cortex.
// It is only loaded then: at session start the hook hands the text over.
func (h *hooks) writeBriefing(b projection.Briefing) error {
	t, err := h.w.Tree()
	if err != nil || !t.Exists(".claude") {
		return err
	}
	head := "---\ndescription: Cortex briefing, generated\npaths:\n  - \".cortex/**\"\n---\n"
	_, err = t.Disposable().Write(workspace.BriefingFile, []byte(head+b.Text))
	return err
}

// unhooked says that no commit on this branch lands what is pending, because git calls
// cortex at none. So it is where the lines of cortex are in a script that git tracks, as
// with husky, and a branch has another version of it. What cannot be told is not said here:
// `cortex doctor` has more time.
func (h *hooks) unhooked(ctx context.Context) []string {
	if h.w.Config.Land != "commit" {
		return nil
	}
	settings, err := h.w.Repo.Settings(ctx)
	if err != nil {
		return nil
	}
	missing, err := h.w.Repo.Hooks().Missing(ctx, settings, "pre-commit")
	if err != nil || !missing {
		return nil
	}
	return []string{"No commit on this branch lands what is pending: git does not call cortex at `pre-commit`. " +
		"`cortex init` adds the lines to the hook again; `cortex doctor` says more."}
}
