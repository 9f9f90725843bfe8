package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/gitops/user"
	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/internal/answer"
)

func newLogin(p *program) *cobra.Command {
	return &cobra.Command{
		Use: "login [URL]", Short: "Say who you are at a hub", GroupID: "use", Args: exactly(0, 1),
		Long: `Say who you are at a hub that is elsewhere, for cortex search --hub. Git's
credential helpers are asked for the password and keep it. The address goes into
your own git configuration (cortex.hub.url) and counts there alone.`,
		Example: "  cortex-hub login https://hub.example.org",
		RunE:    func(cmd *cobra.Command, args []string) error { return p.login(cmd.Context(), args) },
	}
}

// login checks who the user is at a hub, has git keep the password, and names the hub in the user's git
// configuration. Git itself asks for what its credential helpers lack.
func (p *program) login(ctx context.Context, args []string) error {
	git, err := user.Open(p.environ)
	if err != nil {
		return err
	}
	settings, err := git.Settings(ctx, "cortex.hub.")
	if err != nil {
		return err
	}
	address := settings[client.URLKey]
	if len(args) == 1 {
		address = args[0]
	}
	base, err := client.Address(address)
	if err != nil {
		return err
	}
	login, err := git.Login(ctx, base, true)
	if err != nil {
		return err
	}
	found, err := client.At(base, settings[client.ForgeKey], login).Search(ctx,
		client.Question{Query: "type:decision", Limit: 1})
	if errors.Is(err, client.ErrDenied) { // so that git asks again
		return errors.Join(err, git.Reject(ctx, base, login))
	}
	if err != nil {
		return err
	}
	if err := git.Approve(ctx, base, login); err != nil {
		return err
	}
	if err := git.Set(ctx, client.URLKey, base.String()); err != nil {
		return err
	}
	if _, err := git.Login(ctx, base, false); err != nil {
		return answer.WithHint(fmt.Errorf("%w: git keeps none before credential.helper is set", err),
			"git config --global credential.helper cache")
	}
	return p.say(map[string]any{"hub": base.String(), "repositories": found.Repositories}, func() {
		p.printf("%s lets you read %s: cortex search --hub asks there", base.Host, repositories(found.Repositories))
	})
}
