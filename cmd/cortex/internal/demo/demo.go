// Package demo shows what cortex does, in a throwaway repository: two recorded
// sessions of an agent, a commit, a second branch, a merge, a search and a
// briefing. Call [Play].
//
// Nothing outside of a new temporary folder is touched. Everything it shows really
// happens: each scene runs the real workspace and the real git.
package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture"
	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/setup"
)

// Stage describes the process that the demo runs in.
type Stage struct {
	Printer *console.Printer
	Environ []string
	Now     func() time.Time
	Version string
	Binary  gitops.Binary // this program, for the git hooks
}

// Play shows all scenes, and leaves the repository for the user to explore.
func Play(ctx context.Context, on Stage) error {
	dir, err := os.MkdirTemp("", "cortex-demo-")
	if err != nil {
		return fmt.Errorf("making a folder for the demo: %w", err)
	}
	d := &demo{Stage: on, p: on.Printer, ctx: ctx, dir: dir}
	if err := d.play(); err != nil {
		return answer.WithHint(err, "what the demo has made so far is in "+dir)
	}
	return nil
}

// demo is one performance; each scene is a method.
type demo struct {
	Stage
	p     *console.Printer
	ctx   context.Context //nolint:containedctx // a demo lives as long as its command
	dir   string
	repo  *gitops.Repo
	scene int
}

// step is a part of a scene.
type step func() error

func (d *demo) play() error {
	started := d.Now()
	for _, step := range slices.Concat(
		d.project(), d.setUp(), d.firstSession(), d.firstCommit(), d.secondSession(), d.merge(), d.find(), d.briefing(),
	) {
		if err := step(); err != nil {
			return err
		}
	}
	d.p.Printf("\n%s\n", console.Bold("Done in "+d.Now().Sub(started).Round(10*time.Millisecond).String()+"."))
	d.p.Printf("The repository is yours to explore: %s\n", d.dir)
	d.p.Printf("%s\n", console.Dim("  git log --stat · cat .cortex/decisions.md · git log refs/cortex/journal"))
	d.p.Printf("In your own repository: %s shows what your past sessions would have\nleft, %s sets it up.\n",
		console.Bold("cortex try"), console.Bold("cortex init"))
	return nil
}

// title begins a scene.
func (d *demo) title(text, more string) step {
	return func() error {
		d.scene++
		d.p.Printf("\n%s\n", console.Bold(fmt.Sprintf("%d. %s", d.scene, text)))
		d.p.Printf("%s", console.Dim(console.Wrap(more, d.p.Width, "   ")))
		return nil
	}
}

// typed shows a command.
func (d *demo) typed(command string) step {
	return func() error {
		d.p.Printf("   %s\n", console.Good("$ "+command))
		return nil
	}
}

// shell shows a command and what it prints, and runs it for real.
func (d *demo) shell(shown string, lines int, argv ...string) step {
	return func() error {
		d.p.Printf("   %s\n", console.Good("$ "+shown))
		out, err := d.repo.AsUser(d.ctx, argv...)
		d.quote(out, lines)
		return err
	}
}

// add adds files to git.
func (d *demo) add(path string) step {
	return func() error {
		_, err := d.repo.AsUser(d.ctx, "add", path)
		return err
	}
}

func (d *demo) quote(text string, lines int) {
	all := strings.Split(strings.TrimRight(text, "\n"), "\n")
	for i, line := range all {
		if i == lines {
			d.p.Printf("   %s\n", console.Dim(fmt.Sprintf("… %d more lines", len(all)-lines)))
			return
		}
		if line != "" || i > 0 {
			d.p.Printf("   %s %s\n", console.Dim("│"), console.Shorten(memory.Clean(line), d.p.Width-6))
		}
	}
}

func (d *demo) write(name, text string) step {
	return func() error {
		path := filepath.Join(d.dir, filepath.FromSlash(name))
		return errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666))
	}
}

func (d *demo) project() []step {
	return []step{
		d.title("A project", "tidewatch, a small Go service that stores readings of tide gauges, in a new git "+
			"repository. cortex init sets up each clone once: hooks for the agent and for git, and merge drivers."),
		func() (err error) {
			d.repo, err = workspace.Scratch(d.ctx, d.workspaceEnv())
			return err
		},
		d.write("go.mod", "module tidewatch\n\ngo 1.26\n"),
		d.write("store/store.go", "// Package store keeps tide gauge readings.\npackage store\n"),
		d.write("README.md", "# tidewatch\n\nStores the readings of tide gauges.\n"),
		d.add("."),
		d.shell("git commit -m 'start tidewatch'", 3, "commit", "-q", "-m", "start tidewatch"),
	}
}

func (d *demo) open() (*workspace.Workspace, error) {
	return workspace.Open(d.ctx, d.workspaceEnv())
}

func (d *demo) workspaceEnv() workspace.Env {
	return workspace.Env{Dir: d.dir, Environ: d.Environ, Now: d.Now, Version: d.Version}
}

// within opens the demo's workspace for one step.
func (d *demo) within(do func(*workspace.Workspace) error) step {
	return func() error {
		w, err := d.open()
		if err != nil {
			return err
		}
		return errors.Join(do(w), w.Close())
	}
}

func (d *demo) setUp() []step {
	return []step{
		d.typed("cortex init"),
		d.within(func(w *workspace.Workspace) error {
			steps, err := setup.Init(d.ctx, w, setup.Options{Agents: []string{"claude-code"}, Binary: d.Binary})
			d.p.Printf("   %s %d files and settings of git; cortex uninstall takes them out again\n", console.Dim("│"),
				len(steps))
			return err
		}),
		d.add("."),
		d.shell("git add . && git commit -m 'set up cortex'", 3, "commit", "-q", "-m", "set up cortex"),
	}
}

func (d *demo) firstSession() []step {
	return []step{
		d.title("An agent works", "A recorded session of Claude Code about how to store readings. When the agent "+
			"stops, its hook reads what is new in the transcript and keeps what a teammate would want to know, "+
			"pending on a git ref. The working tree stays clean."),
		d.session("storage", templates.DemoStorage(d.dir)),
	}
}

// session writes a transcript where an agent would, shows what is in it, and
// lets the stop hook read it.
func (d *demo) session(name string, transcript []byte) step {
	path := filepath.Join(d.dir, ".git", "session-"+name+".jsonl")
	stop := d.within(func(w *workspace.Workspace) error {
		dry, err := agents.Capture(d.ctx, w, agents.CaptureInput{Path: path, DryRun: true})
		if err != nil {
			return err
		}
		d.showCandidates(dry)
		payload, err := json.Marshal(map[string]string{
			"session_id": dry.Session.ID, "transcript_path": path, "cwd": d.dir, "hook_event_name": "Stop",
		})
		if err != nil {
			return err
		}
		p, err := agents.ParseHookPayload(payload)
		if err != nil {
			return err
		}
		d.p.Printf("   %s\n", console.Good("$ cortex hook stop < payload"))
		_, o := agents.Hook(d.ctx, w, "stop", "claude-code", p)
		return o.Err
	})
	return func() error { return errors.Join(os.WriteFile(path, transcript, 0o600), stop()) }
}

// showCandidates lists what is kept, and counts the rest.
func (d *demo) showCandidates(out *agents.Captured) {
	fates := map[capture.Disposition]int{}
	for _, c := range out.Candidates {
		fates[c.Disposition]++
		if c.Disposition == capture.Kept {
			d.p.Printf("   %s %s %s\n", console.Good("keep"), console.Dim(console.Pad(string(c.Memory.Type), 10)),
				console.Cut(c.Memory.Title, d.p.Width-20))
		}
	}
	d.p.Printf("   %s\n", console.Dim(fmt.Sprintf("and %s that only a search finds; %d passages were too weak to keep",
		console.Plural(fates[capture.Noted], "note", "notes"), fates[capture.InSession])))
}

func (d *demo) firstCommit() []step {
	return []step{
		d.title("An ordinary commit", "The pre-commit hook lands the three memories that are surest: they become "+
			"files in the same commit, to be reviewed like code. The others come with later commits, or wait for "+
			"cortex review."),
		d.write("store/store.go", "// Package store keeps tide gauge readings.\npackage store\n\n"+
			"// Reading is one level, in millimetres, at one time.\n"+
			"type Reading struct {\n\tGauge string\n\tMM    int\n}\n"),
		d.shell("git commit -am 'store: add readings'", 4, "commit", "-q", "-a", "-m", "store: add readings"),
		d.shell("git show --stat --format=%s", 14, "show", "--stat=72", "--format=%s"),
	}
}

func (d *demo) secondSession() []step {
	const note = "Gauge ids are never reused. A replaced gauge gets a new id, so that its history stays its own."
	return []step{
		d.title("Another branch, another session", "On feature/alerts, an agent makes more decisions. Meanwhile, "+
			"somebody writes a memory by hand on main."),
		d.shell("git switch -c feature/alerts", 2, "switch", "-q", "-c", "feature/alerts"),
		d.session("alerts", templates.DemoAlerts(d.dir)),
		d.write("alert/alert.go", "// Package alert watches levels.\npackage alert\n"),
		d.add("alert"),
		d.shell("git add alert && git commit -m 'alert: start'", 4, "commit", "-q", "-m", "alert: start"),
		d.shell("git switch main", 2, "switch", "-q", "main"),
		d.within(func(w *workspace.Workspace) error {
			_, err := w.Remember(d.ctx, workspace.Note{Type: "decision", Text: note})
			return err
		}),
		d.typed("cortex remember --type decision \"Gauge ids are never reused. …\""),
		d.add(".cortex"),
		d.shell("git add .cortex && git commit -m 'note about gauge ids'", 3, "commit", "-q", "-m",
			"note about gauge ids"),
	}
}

func (d *demo) merge() []step {
	return []step{
		d.title("The branches meet", "Each memory is a file of its own. A page that both branches changed would be "+
			"merged memory by memory: no conflict, nothing lost."),
		d.shell("git merge feature/alerts", 4, "merge", "-q", "--no-edit", "feature/alerts"),
		d.typed("grep '^###' .cortex/decisions.md"),
		d.merged,
		d.within(func(w *workspace.Workspace) error {
			pages, err := w.Project(d.ctx, true, false)
			if err != nil {
				return err
			}
			for _, p := range pages {
				if !p.Current {
					return fmt.Errorf("%s does not match the memories after the merge", p.Path)
				}
			}
			d.p.Printf("   %s\n", console.Good("$ cortex project --check"))
			d.p.Printf("   %s every page matches the memories\n", console.Dim("│"))
			return nil
		}),
	}
}

// merged shows the decisions on the page that was merged.
func (d *demo) merged() error {
	page, err := os.ReadFile(filepath.Join(d.dir, ".cortex", "decisions.md"))
	var visible []string
	for line := range strings.Lines(string(page)) {
		if strings.HasPrefix(line, "###") {
			visible = append(visible, line)
		}
	}
	d.quote(strings.Join(visible, ""), 6)
	return err
}

func (d *demo) find() []step {
	const query = "why sqlite storage"
	return []step{
		d.title("Somebody asks",
			"Search answers from the files as they are now; the index is only a cache, and can be "+
				"deleted at any time."),
		d.typed("cortex search " + query),
		d.within(func(w *workspace.Workspace) error {
			answer, err := w.Search(d.ctx, query, workspace.SearchOptions{Limit: 3})
			if err != nil {
				return err
			}
			if len(answer.Results) == 0 {
				return fmt.Errorf("the search for %q found nothing", query)
			}
			for _, f := range answer.Results {
				d.p.Printf("   %s %s %s\n", console.Dim("│"), console.Bold(f.Entry.Memory.ID.Short()),
					console.Cut(f.Entry.Memory.Title, d.p.Width-15))
				if s := output.Highlighted(f.Snippet); len(s) > 0 {
					d.p.Printf("%s", s.Wrap(d.p.Width-2,
						console.Join(console.Plain("   "), console.Dim("│"), console.Plain("         "))))
				}
			}
			return nil
		}),
	}
}

func (d *demo) briefing() []step {
	return []step{
		d.title("The next session starts",
			"The agent gets a briefing: what was decided, what was tried, what to watch "+
				"out for. It is evidence to verify, within a budget of tokens."),
		d.typed("cortex brief"),
		d.within(func(w *workspace.Workspace) error {
			b, _, err := w.Brief(d.ctx, workspace.BriefOptions{})
			if err != nil {
				return err
			}
			d.quote(strings.TrimPrefix(b.Text, projection.BriefingOpen+"\n"), 20)
			d.p.Printf("   %s\n", console.Dim(fmt.Sprintf("%d memories in %d tokens", len(b.Shown), b.Tokens)))
			return nil
		}),
	}
}
