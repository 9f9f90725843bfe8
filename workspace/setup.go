package workspace

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/templates"
)

// SetupOptions say how to set a clone up.
type SetupOptions struct {
	DryRun bool
	Agents []string      // whose hooks and rules to write; only claude-code is known
	Binary gitops.Binary // how git's hooks and merge drivers call cortex
}

// Step is one thing that a set-up or a removal did, or would do.
type Step struct {
	Path   string `json:"path"`   // a file, or a part of git's configuration
	Action string `json:"action"` // created, changed, removed, restored, unchanged, left
	What   string `json:"what"`
}

// managed is one file that set-up writes: how it comes to be, and how our part
// of it is taken out when there is no copy of what it was.
type managed struct {
	path string // relative to the top of the working tree
	what string
	add  func(old []byte, exists bool) ([]byte, error)
	take func(now []byte) (rest []byte, err error) // nil rest: the file goes
}

func (w *Workspace) managedFiles(ctx context.Context, agents []string) []managed {
	files := []managed{
		wholeFile(".cortex/README.md", "what this folder is", templates.Readme()),
		wholeFile(".cortex/config.yaml", "the team's settings", w.configFile(ctx)),
		blockFile(".gitattributes", "line ends and merging",
			gitops.Block{Name: "attributes", Body: string(templates.GitAttributes())}),
	}
	if slices.Contains(agents, "claude-code") {
		rules := wholeFile(".claude/rules/cortex.md", "how Claude Code adds memories", templates.Rules())
		files = append(files, rules, managed{
			path: ".claude/settings.json", what: "hooks of Claude Code",
			add: func(old []byte, _ bool) ([]byte, error) {
				hooks, err := claudeHooks()
				if err != nil {
					return nil, err
				}
				return addAgentHooks(old, hooks)
			},
			take: func(now []byte) ([]byte, error) {
				rest, err := removeAgentHooks(now)
				if strings.TrimSpace(string(rest)) == "{}" {
					return nil, err
				}
				return rest, err
			},
		})
	}
	return files
}

// configFile is the default policy with the mode of projections that suits
// the repository: with a hosted remote pull requests must not conflict.
func (w *Workspace) configFile(ctx context.Context) []byte {
	return regexp.MustCompile(`(?m)^projections: .*$`).ReplaceAll(templates.Config(), []byte("projections: "+w.suggestedMode(ctx)))
}

func (w *Workspace) suggestedMode(ctx context.Context) string {
	if len(w.HostedRemotes(ctx)) > 0 {
		return "default-branch"
	}
	return "branch"
}

// HostedRemotes are the remotes on a server, which merges without the drivers
// of this clone: where there is one, the pages are left to the default branch.
func (w *Workspace) HostedRemotes(ctx context.Context) []string {
	settings, err := w.Repo.Settings(ctx)
	if err != nil {
		return nil
	}
	return settings.Hosted()
}

func wholeFile(path, what string, content []byte) managed {
	return managed{
		path: path, what: what,
		add: func(old []byte, exists bool) ([]byte, error) {
			if exists {
				return old, nil
			}
			return content, nil
		},
		take: func(now []byte) ([]byte, error) {
			if bytes.Equal(NormalEOL(now), content) {
				return nil, nil
			}
			return now, nil
		},
	}
}

func blockFile(path, what string, b gitops.Block) managed {
	return managed{
		path: path, what: what,
		add: func(old []byte, exists bool) ([]byte, error) {
			if !exists {
				old = nil
			} else if old == nil {
				old = []byte{}
			}
			return gitops.InsertBlock(old, b)
		},
		take: func(now []byte) ([]byte, error) { return gitops.RemoveBlock(now, b) },
	}
}

// claudeHooks reads the entries of the template in the order of its events.
func claudeHooks() ([]agentHook, error) {
	data := templates.ClaudeHooks()
	root, err := parseJSON(data)
	if err != nil {
		return nil, err
	}
	all, _ := root.member("hooks")
	var out []agentHook
	for _, event := range all.value.members {
		for _, e := range event.value.elements {
			var entry bytes.Buffer
			if err := json.Indent(&entry, data[e.start:e.end], "", "  "); err != nil {
				return nil, err
			}
			out = append(out, agentHook{event: event.key, entry: entry.String()})
		}
	}
	return out, nil
}

// installed is the record of what set-up found, kept in the cache folder.
// Without it removal takes out our parts instead of restoring the whole.
type installed struct {
	Files map[string]found `json:"files"`
	known bool             // there is such a record
}

type found struct {
	Existed bool   `json:"existed"`
	Before  []byte `json:"before,omitempty"` // base64 in the file
	After   string `json:"after"`            // SHA-256 of what we left
}

const installedFile = "installed.json"

func (w *Workspace) loadInstalled() installed {
	var in installed
	data, err := os.ReadFile(filepath.Join(w.Repo.CacheDir(), installedFile))
	if err != nil || json.Unmarshal(data, &in) != nil || in.Files == nil {
		return installed{Files: map[string]found{}}
	}
	in.known = true
	return in
}

func (in installed) store(w *Workspace) error {
	data, err := json.Marshal(in)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(w.Repo.CacheDir(), 0o777); err != nil {
		return fmt.Errorf("writing %s: %w", installedFile, err)
	}
	// Not a cache: only this knows what the files held before.
	return atomicfile.WritePath(filepath.Join(w.Repo.CacheDir(), installedFile), data, atomicfile.Options{})
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Init sets this clone up. It may be run again at any time, changes nothing
// that is there already, and says what it did.
func (w *Workspace) Init(ctx context.Context, opt SetupOptions) ([]Step, error) {
	t, err := w.Tree()
	if err != nil {
		return nil, err
	}
	hooks, err := w.Repo.Hooks().States(ctx, opt.Binary)
	if err != nil {
		return nil, err // a git that is too old, before anything is written
	}
	if err := w.Writable(ctx); err != nil {
		return nil, err
	}
	record := w.loadInstalled()
	var steps []Step
	for _, m := range w.managedFiles(ctx, opt.Agents) {
		step, err := w.addManaged(t, m, &record, opt.DryRun)
		if err != nil {
			return steps, err
		}
		steps = append(steps, step)
	}
	if !opt.DryRun {
		if err := record.store(w); err != nil {
			return steps, err
		}
		w.ReloadConfig()
	}
	more, err := w.setUpGit(ctx, opt, hooks)
	return append(steps, more...), err
}

func (w *Workspace) addManaged(t Folder, m managed, record *installed, dry bool) (Step, error) {
	step := Step{Path: m.path, What: m.what, Action: "unchanged"}
	old, exists, err := t.Read(m.path)
	if err != nil {
		return step, err
	}
	now, err := m.add(old, exists)
	if err != nil {
		return step, fmt.Errorf("%s: %w", m.path, err)
	}
	if exists && bytes.Equal(old, now) {
		return step, nil
	}
	step.Action = "changed"
	if !exists {
		step.Action = "created"
	}
	if dry {
		return step, nil
	}
	if _, ours := record.Files[m.path]; !ours {
		record.Files[m.path] = found{Existed: exists, Before: old, After: digest(now)}
	}
	_, err = t.Write(m.path, now)
	return step, err
}

// setUpGit does what lies in the git directory: switch, drivers, hooks, and
// keeping the briefing out of commits.
func (w *Workspace) setUpGit(ctx context.Context, opt SetupOptions, hooks []gitops.HookState) ([]Step, error) {
	drivers, err := w.Repo.Drivers().State(ctx, nil, opt.Binary)
	if err != nil {
		return nil, err
	}
	steps := []Step{
		{Path: "git config cortex.enabled", Action: action(w.Enabled(ctx)), What: "this clone is set up"},
		{Path: "git merge drivers", Action: action(drivers.Config && drivers.Attributes), What: "merge memory by memory"},
		{Path: "git info/exclude", Action: action(w.excludes()), What: "keeps the briefing out of commits"},
	}
	for _, h := range hooks {
		steps = append(steps, Step{Path: "git hook " + h.Name, Action: action(h.Current && !h.Movable), What: hookPurpose(h.Name)})
	}
	if opt.DryRun {
		return steps, nil
	}
	if err := w.Repo.Drivers().Install(ctx, opt.Binary); err != nil {
		return steps, fmt.Errorf("installing the merge drivers: %w", err)
	}
	if err := w.editExclude(true); err != nil {
		return steps, err
	}
	if err := w.installHooks(ctx, opt, steps[len(steps)-len(hooks):]); err != nil {
		return steps, err
	}
	if w.CloneID(ctx) == "" {
		var id [8]byte
		_, _ = rand.Read(id[:]) // never fails, by its documentation
		if err := w.Repo.LocalConfig().Set(ctx, "cortex.clone", hex.EncodeToString(id[:])); err != nil {
			return steps, err
		}
	}
	if w.Enabled(ctx) {
		return steps, nil
	}
	return steps, w.Repo.LocalConfig().Set(ctx, "cortex.enabled", "true")
}

// installHooks makes git call cortex, if the hooks are ours to write. If not,
// the rest of the set-up is worth having, and the user is told what to do.
func (w *Workspace) installHooks(ctx context.Context, opt SetupOptions, steps []Step) error {
	err := w.Repo.Hooks().Install(ctx, opt.Binary)
	var foreign *gitops.ForeignHooksError
	switch {
	case errors.As(err, &foreign):
		for i := range steps {
			steps[i].Action = "left"
		}
		if w.Config.Land == "commit" {
			w.Notice("no git hook was installed, so memories do not land by themselves: %v\n%s", foreign, foreign.Hint())
		}
	case err != nil:
		return fmt.Errorf("installing the git hooks: %w", err)
	}
	return nil
}

func action(done bool) string {
	if done {
		return "unchanged"
	}
	return "changed"
}

func hookPurpose(name string) string {
	switch name {
	case "pre-commit":
		return "lands memories with your commit"
	case "post-commit":
		return "tidies the journal after it"
	}
	return "keeps memories in step with git"
}

func excludeBlock() gitops.Block {
	return gitops.Block{Name: "exclude", Body: "/" + BriefingFile + "\n"}
}

func (w *Workspace) excludeFile() string { return filepath.Join(w.Repo.CommonDir, "info", "exclude") }

func (w *Workspace) excludes() bool {
	data, err := os.ReadFile(w.excludeFile())
	if err != nil {
		return false
	}
	body, ok := gitops.BlockBody(data, excludeBlock())
	return ok && body == excludeBlock().Body
}

func (w *Workspace) editExclude(add bool) error {
	path := w.excludeFile()
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("reading info/exclude: %w", err)
	}
	if err == nil && old == nil {
		old = []byte{}
	}
	edit := gitops.RemoveBlock
	if add {
		edit = gitops.InsertBlock
	}
	now, err := edit(old, excludeBlock())
	if err != nil {
		return fmt.Errorf("info/exclude: %w", err)
	}
	switch {
	case now == nil && old != nil:
		return os.Remove(path)
	case now == nil || bytes.Equal(now, old):
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return fmt.Errorf("writing info/exclude: %w", err)
	}
	// A link to a file elsewhere is the user's: that file is edited.
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	if err := atomicfile.WritePath(path, now, atomicfile.Options{}); err != nil {
		return fmt.Errorf("writing info/exclude: %w", err)
	}
	return nil
}

// Uninstall takes everything out again that Init put in. Files that nobody
// touched since are restored byte for byte; in others our part alone is taken
// out. Memories stay: they are the user's.
func (w *Workspace) Uninstall(ctx context.Context, opt SetupOptions) ([]Step, error) {
	t, err := w.Tree()
	if err != nil {
		return nil, err
	}
	record := w.loadInstalled()
	var steps []Step
	for _, m := range w.managedFiles(ctx, []string{"claude-code"}) {
		step, err := w.takeManaged(t, m, record, opt.DryRun)
		if err != nil {
			return steps, err
		}
		steps = append(steps, step)
	}
	steps = append(steps,
		Step{Path: BriefingFile, Action: removed(w.exists(BriefingFile)), What: "the generated briefing"},
		Step{Path: "git config, info/*", Action: removed(w.Enabled(ctx)), What: "set-up, merge drivers, exclusion"},
		Step{Path: "git hooks", Action: removed(w.Enabled(ctx)), What: "our lines, the rest stays"})
	refs, err := w.Repo.Remotes().Forget(ctx, opt.DryRun)
	if len(refs) > 0 {
		steps = append(steps, Step{Path: "refs/cortex-remotes", Action: "removed", What: "what was last seen of remotes' journals"})
	}
	if opt.DryRun {
		return steps, err
	}
	return steps, errors.Join(
		err,
		t.Remove(BriefingFile, ""),
		w.Repo.Hooks().Remove(ctx),
		w.Repo.Drivers().Remove(ctx),
		w.editExclude(false),
		w.Repo.LocalConfig().RemoveSection(ctx, "cortex"),
		w.dropCaches())
}

// dropCaches empties the cache folder. What holds captured memories (the
// spool) and what other processes may be holding (locks) stays.
func (w *Workspace) dropCaches() error {
	entries, err := os.ReadDir(w.Repo.CacheDir())
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	for _, e := range entries {
		if !strings.Contains(e.Name(), "spool") && !strings.Contains(e.Name(), "lock") {
			err = errors.Join(err, os.RemoveAll(filepath.Join(w.Repo.CacheDir(), e.Name())))
		}
	}
	return err
}

func removed(there bool) string {
	if there {
		return "removed"
	}
	return "unchanged"
}

func (w *Workspace) takeManaged(t Folder, m managed, record installed, dry bool) (Step, error) {
	step := Step{Path: m.path, What: m.what, Action: "unchanged"}
	now, exists, err := t.Read(m.path)
	if err != nil || !exists {
		return step, err
	}
	f, ours := record.Files[m.path]
	if record.known && !ours {
		return step, nil // it came with the repository: it is the team's
	}
	rest, gone := []byte(nil), false
	if ours && f.After == digest(now) {
		rest, gone = f.Before, !f.Existed
		step.Action = "restored"
	} else {
		if rest, err = m.take(now); err != nil {
			return step, fmt.Errorf("%s: %w", m.path, err)
		}
		gone = rest == nil
		if !gone && bytes.Equal(rest, now) {
			return step, nil
		}
		step.Action = "changed"
	}
	if gone {
		step.Action = "removed"
	}
	if dry {
		return step, nil
	}
	if gone {
		return step, t.Remove(m.path, "")
	}
	_, err = t.Write(m.path, rest)
	return step, err
}
