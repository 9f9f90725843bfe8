package main

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// maxNote caps what is read from standard input.
const maxNote = memory.MaxFile

// rememberOptions are the words and flags of remember.
type rememberOptions struct {
	workspace.Note      // but for text, type and links
	words               []string
	typ                 string
	supersedes, answers []string
	global              bool
}

func newRememberCommand(e *env) *cobra.Command {
	var opt rememberOptions
	c := &cobra.Command{
		Use: "remember TEXT", Short: "Write a memory by hand", Args: args(1, -1),
		Long: `Write a memory by hand. It becomes a file in the working tree, unstaged like
any other edit: commit it when you like. The first sentence becomes the title.
If TEXT is -, it is read from standard input. Secrets are removed. A memory
written with --global is yours alone and holds in every repository on this
machine.`,
		RunE: func(cmd *cobra.Command, words []string) error {
			opt.words = words
			return runRemember(cmd.Context(), e, opt)
		},
	}
	f := c.Flags()
	f.StringVarP(&opt.typ, "type", "t", "learned", "`TYPE` of the memory: decision, rejected, gotcha, fix, plan, …")
	f.StringVar(&opt.Title, "title", "", "use `TITLE` instead of the first sentence")
	f.StringSliceVar(&opt.Tags, "tag", nil, "add `TAG` (repeatable)")
	f.StringSliceVar(&opt.Files, "file", nil, "`PATH` of a file that it is about (repeatable)")
	f.StringSliceVar(&opt.supersedes, "supersedes", nil, "`ID` of a memory that this one replaces (repeatable)")
	f.StringSliceVar(&opt.answers, "answers", nil, "`ID` of a question that this memory answers (repeatable)")
	f.StringVar(&opt.Scope, "scope", "",
		"where it holds until it lands: `SCOPE` branch or repository; by default what its type says")
	f.BoolVar(&opt.Pinned, "pin", false, "never let the memory fade")
	f.BoolVar(&opt.Pending, "pending", false, "write to the journal instead of the working tree")
	globalFlag(c, &opt.global, "write to your own store, for every repository; committed at once")
	_ = c.RegisterFlagCompletionFunc("type", completeTypes)
	_ = c.RegisterFlagCompletionFunc("scope", cobra.FixedCompletions(
		[]string{memory.ScopeBranch, memory.ScopeRepository}, cobra.ShellCompDirectiveNoFileComp))
	_ = c.RegisterFlagCompletionFunc("supersedes", completeIDs(e, &opt.global))
	_ = c.RegisterFlagCompletionFunc("answers", completeIDs(e, &opt.global))
	return c
}

func runRemember(ctx context.Context, e *env, opt rememberOptions) (err error) {
	if opt.Text, err = noteText(opt.words, e.in, maxNote); err != nil {
		return err
	}
	if opt.Type, err = parseType(opt.typ); err != nil {
		return err
	}
	if err := opt.check(); err != nil {
		return err
	}
	return e.with(ctx, opening{global: opt.global, makes: opt.global}, func(w *workspace.Workspace) error {
		note, err := resolveNote(ctx, w, e.where(), opt)
		if err != nil {
			return err
		}
		out, err := w.Remember(ctx, note)
		if err != nil {
			return err
		}
		return printRemembered(e, out)
	})
}

// check refuses flags that say no scope, or do not go together.
func (opt *rememberOptions) check() error {
	switch opt.Scope {
	case "", memory.ScopeBranch, memory.ScopeRepository:
	default:
		return usagef("%q is not a scope: branch or repository", opt.Scope)
	}
	if opt.global && (opt.Pending || len(opt.Files) > 0) {
		return usagef("a --global memory holds in every repository: --pending and --file do not go with it")
	}
	return nil
}

// noteText is the text that was typed, or for "-" that of standard input, of at most so many bytes.
func noteText(words []string, in io.Reader, most int64) (string, error) {
	if len(words) != 1 || words[0] != "-" {
		return strings.Join(words, " "), nil
	}
	data, err := io.ReadAll(io.LimitReader(in, most+1))
	if err != nil {
		return "", fmt.Errorf("reading standard input: %w", err)
	}
	if int64(len(data)) > most {
		return "", fmt.Errorf("standard input is over the limit of %d bytes", most)
	}
	return string(data), nil
}

// resolveNote makes paths, which are typed in dir, relative to the root, and
// ids whole.
func resolveNote(
	ctx context.Context, w *workspace.Workspace, dir string, opt rememberOptions,
) (note workspace.Note, err error) {
	note = opt.Note
	note.Files = nil
	for _, f := range opt.Files {
		rel, err := relativeTo(w.Repo.Root, dir, f)
		if err != nil {
			return note, err
		}
		note.Files = append(note.Files, rel)
	}
	if len(opt.supersedes)+len(opt.answers) == 0 {
		return note, nil
	}
	v, err := w.View(ctx, workspace.ViewOptions{})
	if err != nil {
		return note, err
	}
	for rel, ids := range map[memory.Rel][]string{memory.Supersedes: opt.supersedes, memory.Answers: opt.answers} {
		for _, id := range ids {
			found, err := v.Find(ctx, id)
			if err != nil {
				return note, err
			}
			note.Links = append(note.Links, memory.Link{Rel: rel, To: found.Memory.ID})
		}
	}
	return note, nil
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
	rel, in := workspace.Below(root, abs)
	if !in || !memory.ValidPath(filepath.ToSlash(rel)) {
		return "", &usageError{
			Err:  fmt.Errorf("%s is not inside the repository", path),
			Hint: "give a path of a file in " + root,
		}
	}
	return filepath.ToSlash(rel), nil
}

func printRemembered(e *env, out workspace.Remembered) error {
	if e.json {
		return answer.Write(e.out, out.Entry)
	}
	return output.Remembered(e.printer(), out, e.quiet)
}
