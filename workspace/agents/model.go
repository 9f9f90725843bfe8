package agents

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strconv"
	"time"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// The model layer is off until the user's git configuration names a command:
//
//	cortex.llm           command line; reads a prompt on standard input, writes JSON
//	cortex.llmTimeout    seconds it may take (120, at most 600)
//	cortex.llmInterval   minutes between two runs for one session (15, at least 1)
//
// Nothing of it can be set by a file of the repository.
const (
	modelTimeout    = 120 * time.Second
	modelTimeoutMax = 600 * time.Second
	modelInterval   = 15 * time.Minute
)

// ModelRun is one call of the user's command.
type ModelRun struct {
	Command string
	Prompt  string // for its standard input
	Timeout time.Duration
	Limit   int // bytes of its output that are read
}

// modelSettings reads the command and its bounds; "" when the layer is off.
func modelSettings(ctx context.Context, repo *gitops.Repo) (command string, timeout, interval time.Duration) {
	settings, err := repo.Settings(ctx)
	if err != nil {
		return "", 0, 0
	}
	timeout, interval = modelTimeout, modelInterval
	if n, err := strconv.Atoi(settings.Value("cortex.llmtimeout")); err == nil && n > 0 {
		timeout = min(time.Duration(n)*time.Second, modelTimeoutMax)
	}
	if n, err := strconv.Atoi(settings.Value("cortex.llminterval")); err == nil && n > 0 {
		interval = time.Duration(n) * time.Minute
	}
	return settings.Value("cortex.llm"), timeout, interval
}

// ModelDue reports whether the model should now read a session: the layer is
// on, the event is one that ends an answer or the session, and neither this
// session was read within the interval (a fifth of it when the session ends),
// nor another run may still be under way. It notes the run that is to follow.
func ModelDue(ctx context.Context, w *workspace.Workspace, event string, p HookPayload) bool {
	if !w.Enabled(ctx) || event != "stop" && event != "session-end" || p.SessionID == "" || !filepath.IsAbs(p.TranscriptPath) {
		return false
	}
	command, timeout, interval := modelSettings(ctx, w.Repo)
	if command == "" || elsewhere(newCapturer(w).tree, p) {
		return false
	}
	if event == "session-end" {
		interval /= 5
	}
	return w.Diary.BeginRun(p.SessionID, interval, timeout)
}

// Model lets the user's command read the end of a session, by run, and adds
// what stands up to every check to the journal. What it says is never more
// than a proposal: layer llm, confidence at most 0.9. It returns how many
// memories are new. A reply that is refused is a [capture.RefusedError].
func Model(ctx context.Context, w *workspace.Workspace, in CaptureInput, run func(context.Context, ModelRun) ([]byte, error)) (int, error) {
	return newCapturer(w).model(ctx, in, run)
}

func (x *capturer) model(ctx context.Context, in CaptureInput, run func(context.Context, ModelRun) ([]byte, error)) (int, error) {
	command, timeout, _ := modelSettings(ctx, x.w.Repo)
	if command == "" {
		return 0, errors.New("no command is set as cortex.llm")
	}
	f, _, err := openTranscript(in.Path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	if err := identify(f, &in); err != nil {
		return 0, err
	}
	branch := x.w.Repo.Topic
	opt := capture.Options{
		Agent: in.Agent, Session: in.Session, Branch: x.w.JournalBranch(ctx, branch), Head: x.w.Repo.Head, Now: x.w.Now(), Redactor: x.w.Redactor(ctx),
		Root: x.w.Repo.Root, Exists: x.tree.Exists, People: func() []string { return people(ctx, x.w.Repo) }, Dependencies: x.tree.Dependencies,
	}
	digest, err := capture.ReadDigest(ctx, f, opt)
	if err != nil || len(digest.Lines) < 2 {
		return 0, err
	}
	snap, err := x.w.Journal(ctx)
	if err != nil {
		return 0, err
	}
	record, _ := x.previously(ctx, snap, in, opt.Branch)
	if record == nil {
		record = &session.Session{Agent: digest.Agent, ID: in.Session}
	}
	var known []string
	for _, found := range record.Found {
		known = append(known, found.Title)
	}
	reply, err := run(ctx, ModelRun{Command: command, Prompt: digest.Prompt(known), Timeout: timeout, Limit: capture.ModelReply + 1})
	if err != nil {
		return 0, err
	}
	candidates, err := digest.Accept(reply, opt)
	if err != nil {
		return 0, err
	}
	// The command took its time: the journal may have moved on.
	if snap, err = x.w.Journal(ctx); err != nil {
		return 0, err
	}
	out := &Captured{Result: &capture.Result{Session: record, Candidates: candidates}, Branch: opt.Branch}
	if err := x.foldKnown(ctx, snap, out, branch); err != nil {
		return 0, err
	}
	return x.commitModel(ctx, out)
}

// commitModel adds what is left to the journal. The session record stays as it
// is: its cursor and findings belong to the reading without a model.
func (x *capturer) commitModel(ctx context.Context, out *Captured) (int, error) {
	memories := out.Memories()
	if len(memories) == 0 {
		return 0, nil
	}
	for _, m := range memories {
		m.Anchors, m.Source.Commit = x.tree.Anchors(m.Files), workspace.Abbrev(x.w.Repo.Head)
	}
	added := 0
	err := x.w.Update(ctx, func(snap *gitops.Snapshot) (gitops.Change, error) {
		added = 0
		c := gitops.Change{When: x.w.Now(), Trailers: x.w.Trailers(out.Session.ID, out.Branch), Put: map[string][]byte{}}
		pending := workspace.PendingPaths(ctx, snap, out.Branch)
		for _, m := range memories {
			if len(pending(m.ID)) == 0 {
				c.Put[gitops.PendingPrefix(out.Branch)+"/"+m.Path()] = memory.Format(m)
				added++
			}
		}
		c.Message = fmt.Sprintf("capture: %s from a model that read %s %s (%s)", workspace.CountMemories(added), out.Session.Agent, out.Session.ID[:min(len(out.Session.ID), 8)], out.Branch)
		return c, nil
	})
	return added, err
}
