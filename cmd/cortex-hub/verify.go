package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"
)

func newVerify(p *program) *cobra.Command {
	return &cobra.Command{
		Use: "verify [NAME]", Short: "Compare what the hub holds with git", GroupID: "check", Args: exactly(0, 1),
		Long: `Compare what the hub holds of each repository, or of one, with the commit in its
mirror, and with what was purged. Each difference is named, and the command ends
with 3 where there is one: "rebuild" reads that repository again.`,
		Example:           "  cortex-hub verify\n  cortex-hub verify acme/web --json",
		ValidArgsFunction: p.complete((*opened).repositoryNames),
		RunE:              p.with(verify),
	}
}

// verify compares the files of repositories with those of the commits that they are said to hold.
func verify(ctx context.Context, o *opened, args []string) error {
	repos := o.repositories()
	if len(args) > 0 {
		r, err := o.named(args[0])
		if err != nil {
			return err
		}
		repos = repos[:0]
		repos = append(repos, r)
	}
	found := []difference{}
	for _, r := range repos {
		list, err := o.Differences(ctx, r.Key())
		if err != nil {
			return fmt.Errorf("verifying %s: %w", r.Name, err)
		}
		for _, d := range list {
			found = append(found, difference{r.Name, r.OID, d.Path, d.Says})
		}
	}
	answer := map[string]any{"repositories": len(repos), "differences": found}
	err := o.say(answer, func() {
		for _, d := range found {
			o.printf("%s: %s: %s", d.Repository, d.Path, d.Says)
		}
		o.printf("%s", sumOf(len(repos), found))
	})
	if err == nil && len(found) > 0 {
		return errProblems
	}
	return err
}

// difference is a file of which the hub holds something else than git.
type difference struct {
	Repository string `json:"repository"`
	Commit     string `json:"commit"`
	Path       string `json:"path"`
	Says       string `json:"says"`
}

// sumOf says what came of it, and what to do.
func sumOf(repos int, found []difference) string {
	if len(found) == 0 {
		return fmt.Sprintf("%d repositories are as in git", repos)
	}
	return fmt.Sprintf("%d differences: cortex-hub rebuild %s && cortex-hub sweep", len(found), found[0].Repository)
}
