package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/tiers"
)

func newEmbedCommand(e *env) *cobra.Command {
	var opt tiers.EmbedOptions
	var alpha, least float64
	c := &cobra.Command{
		Use: "embed [FOLDER|URL]", Short: "Search by meaning too: set, check and use a model", Args: args(0, 1),
		Long: `Set a model that turns text into vectors, check that it works, and make the
vectors of all memories. From then on, search compares meaning as well as words.

FOLDER is a static model on this machine (tokenizer.json, model.safetensors), as
model2vec and sentence-transformers publish them, such as potion-base-8M. URL is
an endpoint that is compatible with OpenAI's, up to and including its version;
the text of your memories is sent there. The setting is your own: it is written
to this clone's git configuration, never to a file of the repository. A model
that fails the check changes nothing.

Without an argument, the model that is set is checked and used again.`,
		RunE: func(cmd *cobra.Command, got []string) error {
			if len(got) > 0 {
				opt.Model = modelOf(e, got[0])
			}
			changed := cmd.Flags().Changed
			if changed("alpha") {
				opt.Alpha = &alpha
			}
			if changed("least") {
				opt.Least = &least
			}
			return runEmbed(cmd.Context(), e, opt)
		},
	}
	f := c.Flags()
	f.StringVar(&opt.Name, "model", "", "`NAME` of the model at that URL")
	f.StringVar(&opt.Key, "key", "", "`VARIABLE` of the environment that holds the key of that URL")
	f.Float64Var(&alpha, "alpha", 0, "`WEIGHT` of meaning against words, from 0 to 1; 0 is as far as the two agree")
	f.Float64Var(&least, "least", 0,
		"`SIMILARITY` from which on a memory that shares no word is found, from 0 to 1; 0 is what stands out")
	f.BoolVar(&opt.Off, "off", false, "remove these settings: search by words alone")
	f.BoolVar(&opt.DryRun, "dry-run", false, "check the model, and change nothing")
	c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveFilterDirs
	}
	return c
}

// modelOf is a model as settings name it: an address as it is, a folder with its
// absolute path.
func modelOf(e *env, name string) string {
	if strings.Contains(name, "://") {
		return name
	}
	return "static:" + filepath.Clean(e.file(strings.TrimPrefix(name, "static:")))
}

// checkEmbed returns the mistake of usage in flags of embed, if any.
func checkEmbed(opt tiers.EmbedOptions) error {
	for name, x := range map[string]*float64{"alpha": opt.Alpha, "least": opt.Least} {
		if !isShare(x) {
			return usagef("--%s must be from 0 to 1", name)
		}
	}
	return nil
}

// isShare reports whether a number, if there is one, is from 0 to 1. NaN is not.
func isShare(x *float64) bool { return x == nil || *x >= 0 && *x <= 1 }

func runEmbed(ctx context.Context, e *env, opt tiers.EmbedOptions) error {
	if err := checkEmbed(opt); err != nil {
		return err
	}
	return e.with(ctx, opening{}, func(w *workspace.Workspace) error {
		opt.Progress = e.progress("embedding")
		out, err := tiers.Embed(ctx, w, opt)
		if errors.Is(err, tiers.ErrNoModel) {
			return &usageError{Err: err, Hint: "cortex embed FOLDER, or cortex embed URL --model NAME"}
		}
		if err != nil {
			return fmt.Errorf("%w (nothing else was changed)", err)
		}
		return e.show(nil, out, func(p *console.Printer) { output.Embedded(p, out, e.quiet) })
	})
}
