package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// maxNote caps what is read from standard input.
const maxNote = memory.MaxFile

func (a *env) rememberCommand() *cobra.Command {
	var note workspace.Note
	var typ string
	var supersedes, answers []string
	c := &cobra.Command{
		Use: "remember TEXT", Short: "Write a memory by hand", Args: args(1, -1),
		Long: `Write a memory by hand. It becomes a file in the working tree, unstaged like any
other edit: commit it when you like. The first sentence becomes its title. With
- the text is read from standard input. Secrets are taken out. With --global it
is yours alone and holds in every repository of this machine.`,
		Example: `  cortex remember --type decision "Readings are stored in UTC. Two gauges sit across a zone border."
  cortex remember --global --type preference "Small commits, each with its reason"
  cortex remember --type gotcha --file store/wal.go "Replay needs the lock file"
  git log -1 --format=%B | cortex remember --type fix -`,
		RunE: func(cmd *cobra.Command, words []string) error {
			var err error
			if note.Text, err = a.noteText(words); err != nil {
				return err
			}
			if note.Type, err = memory.ParseType(typ); err != nil {
				return &usageError{err: err}
			}
			as := opening{global: a.global}
			if a.global {
				if note.Pending || len(note.Files) > 0 {
					return usagef("--global memories hold in every repository: they are never pending, and about no file of one")
				}
				as.makes = true
			}
			return a.with(cmd.Context(), as, func(w *workspace.Workspace) error {
				if err := a.resolveNote(cmd, w, &note, supersedes, answers); err != nil {
					return err
				}
				out, err := w.Remember(cmd.Context(), note)
				if err != nil {
					return err
				}
				return a.printRemembered(out)
			})
		},
	}
	f := c.Flags()
	f.StringVarP(&typ, "type", "t", "learned", "what it is: decision, rejected, gotcha, fix, plan, …")
	f.StringVar(&note.Title, "title", "", "a title instead of the first sentence")
	f.StringSliceVar(&note.Tags, "tag", nil, "a tag (repeatable)")
	f.StringSliceVar(&note.Files, "file", nil, "a file it is about (repeatable)")
	f.StringSliceVar(&supersedes, "supersedes", nil, "the id of a memory that this one replaces")
	f.StringSliceVar(&answers, "answers", nil, "the id of a question that this one answers")
	f.BoolVar(&note.Pinned, "pin", false, "never let it fade")
	f.BoolVar(&note.Pending, "pending", false, "into the journal instead of the working tree")
	a.globalFlag(c, "into your own store, for every repository; committed at once")
	_ = c.RegisterFlagCompletionFunc("type", completeTypes)
	_ = c.RegisterFlagCompletionFunc("supersedes", a.completeIDs)
	_ = c.RegisterFlagCompletionFunc("answers", a.completeIDs)
	return c
}

func completeTypes(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	names := []string{}
	for _, t := range memory.Types() {
		names = append(names, string(t))
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

func (a *env) noteText(words []string) (string, error) {
	if len(words) != 1 || words[0] != "-" {
		return strings.Join(words, " "), nil
	}
	data, err := io.ReadAll(io.LimitReader(a.in, maxNote+1))
	if err != nil {
		return "", fmt.Errorf("reading standard input: %w", err)
	}
	if len(data) > maxNote {
		return "", fmt.Errorf("standard input is over the limit of %d bytes", maxNote)
	}
	return string(data), nil
}

// resolveNote makes paths relative to the root and ids whole.
func (a *env) resolveNote(cmd *cobra.Command, w *workspace.Workspace, note *workspace.Note, supersedes, answers []string) error {
	for i, f := range note.Files {
		rel, err := relativeTo(w.Repo.Root, a.where(), f)
		if err != nil {
			return err
		}
		note.Files[i] = rel
	}
	if len(supersedes)+len(answers) == 0 {
		return nil
	}
	v, err := w.View(cmd.Context(), workspace.ViewOptions{})
	if err != nil {
		return err
	}
	for rel, ids := range map[memory.Rel][]string{memory.Supersedes: supersedes, memory.Answers: answers} {
		for _, id := range ids {
			e, err := v.Find(cmd.Context(), id)
			if err != nil {
				return err
			}
			note.Links = append(note.Links, memory.Link{Rel: rel, To: e.Memory.ID})
		}
	}
	return nil
}

// relativeTo turns a path as typed in dir into one relative to root.
func relativeTo(root, dir, path string) (string, error) {
	if root == "" {
		return filepath.ToSlash(path), nil
	}
	abs := path
	if !filepath.IsAbs(abs) {
		abs = filepath.Join(dir, path)
	}
	if real, err := filepath.EvalSymlinks(filepath.Dir(abs)); err == nil {
		abs = filepath.Join(real, filepath.Base(abs))
	}
	rel, err := filepath.Rel(root, abs)
	if err != nil || !memory.ValidPath(filepath.ToSlash(rel)) {
		return "", &usageError{err: fmt.Errorf("%s is not inside the repository", path), hint: "give a path of a file in " + root}
	}
	return filepath.ToSlash(rel), nil
}

func (a *env) printRemembered(out workspace.Remembered) error {
	if a.json {
		return writeJSON(a.out, out.Entry)
	}
	p := a.printer()
	m := out.Entry.Memory
	if m == nil {
		return errors.New("the memory was written but cannot be read back: run cortex doctor")
	}
	verb := "Remembered"
	if out.Known {
		verb = "Known already"
	}
	p.printf("%s %s  %s  %s\n", verb, bold(m.ID.Short()), m.Type, p.cut(m.Title, p.width-30))
	p.printf("  %s\n", dim(p.path(out.Entry.Path, p.width-2)))
	for _, s := range out.Redacted {
		p.printf("  %s a secret was taken out: %s\n", warn("!"), s.Kind)
	}
	if !a.quiet && !out.Known && out.Entry.Stage == "global" {
		p.printf("  %s\n", dim("yours, in every repository of this machine"))
	}
	if !a.quiet && !out.Known && out.Entry.Stage == "landed" {
		p.printf("  %s\n", dim("not staged: commit it when you like"))
	}
	return nil
}
