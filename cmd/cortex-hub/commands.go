package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/internal/answer"
)

// commands are all commands but help and completion, in the order of their groups.
func commands(p *program) []*cobra.Command {
	return []*cobra.Command{
		newDemo(p), newAdd(p), newRemove(p), newServe(p), newLogin(p),
		newStatus(p), newSweep(p), newRebuild(p), newVerify(p), newRestore(p), newPurge(p), newAudit(p),
		newStats(p), newContradictions(p), newPull(p),
	}
}

func newAdd(p *program) *cobra.Command {
	return &cobra.Command{
		Use: "add FORGE NAME URL", Short: "Put a repository into the hub", GroupID: "use", Args: exactly(3, 3),
		Long: `Put a repository into the hub: FORGE is one of hub.json, NAME the path of the
repository there, URL where git fetches it. "serve" or "sweep" reads it. One
that is there already stays as it is.`,
		Example:           "  cortex-hub add git acme/web https://git.example.org/acme/web.git",
		ValidArgsFunction: p.complete((*opened).forgeNames),
		RunE:              p.with(add),
	}
}

func add(ctx context.Context, o *opened, args []string) error {
	ref := hub.RepoRef{Forge: args[0], Name: args[1], URL: args[2]}
	if _, ok := o.forges[ref.Forge]; !ok {
		return answer.WithHint(fmt.Errorf("adding %s: hub.json has no forge %q", ref.Name, ref.Forge), o.forgeHint())
	}
	if _, err := o.mirrors.Add(ctx, ref.URL); err != nil { // an address that is not allowed is refused now
		return err
	}
	if err := o.Add(ref); err != nil {
		return err
	}
	return o.say(map[string]string{"forge": ref.Forge, "name": ref.Name, "url": ref.URL}, func() {
		o.printf("%s is in the hub: cortex-hub serve or cortex-hub sweep reads it", ref.Name)
	})
}

func (o *opened) forgeNames() []string { return slices.Sorted(maps.Keys(o.forges)) }

// forgeHint says which forges there are.
func (o *opened) forgeHint() string {
	if len(o.forges) == 0 {
		return `name it in hub.json: {"forges": [{"name": "git"}]}`
	}
	return fmt.Sprintf("those of hub.json: %v", o.forgeNames())
}

func newRemove(p *program) *cobra.Command {
	return &cobra.Command{
		Use: "remove NAME", Short: "Take a repository out of the hub", GroupID: "use", Args: exactly(1, 1),
		Long: `Take a repository out of the hub with all that was read of it: its memories and
its mirror. The repository itself is not touched; "add" puts it in again.`,
		Example:           "  cortex-hub remove acme/old",
		ValidArgsFunction: p.complete((*opened).repositoryNames),
		RunE:              p.onOne((*opened).Remove, "removed", "%s is out of the hub"),
	}
}

// onOne does something with the repository that is named, and says so: the word is that of the JSON.
func (p *program) onOne(
	do func(*opened, context.Context, string) error, word, text string,
) func(*cobra.Command, []string) error {
	return p.with(func(ctx context.Context, o *opened, args []string) error {
		r, err := o.named(args[0])
		if err == nil {
			err = do(o, ctx, r.Key())
		}
		if err != nil {
			return err
		}
		return o.say(map[string]string{word: r.Name}, func() { o.printf(text, r.Name) })
	})
}

func newSweep(p *program) *cobra.Command {
	all := false
	c := &cobra.Command{
		Use: "sweep", Short: "Look at repositories now, and end", GroupID: "check", Args: exactly(0, 0),
		Long: `Look at the repositories that are due, or with --all at each, and end when that
is done. "serve" does the same by itself.`,
		Example: "  cortex-hub sweep --all",
	}
	c.Flags().BoolVar(&all, "all", false, "look at each, also at those that are parked")
	c.RunE = p.with(func(ctx context.Context, o *opened, _ []string) error {
		if err := o.Sweep(ctx, all); err != nil {
			return err
		}
		s := statusOf(o)
		return o.say(s, func() { o.printf("%s", s.sum()) })
	})
	return c
}

// repositories are those of the hub, by name.
func (o *opened) repositories() []*hub.Repo {
	return slices.SortedFunc(maps.Values(o.Repos()), func(a, b *hub.Repo) int { return cmp.Compare(a.Name, b.Name) })
}

func (o *opened) repositoryNames() (names []string) {
	for _, r := range o.repositories() {
		names = append(names, r.Name)
	}
	return names
}

// named is the repository of a name.
func (o *opened) named(name string) (*hub.Repo, error) {
	for _, r := range o.repositories() {
		if r.Name == name {
			return r, nil
		}
	}
	return nil, answer.WithHint(fmt.Errorf("there is no repository %q", name), "to list them: cortex-hub status")
}

// complete offers the names of something of the hub for the first argument.
func (p *program) complete(names func(*opened) []string) cobra.CompletionFunc {
	return func(cmd *cobra.Command, args []string, _ string) (out []string, _ cobra.ShellCompDirective) {
		if len(args) == 0 {
			_ = p.with(func(_ context.Context, o *opened, _ []string) error {
				out = names(o)
				return nil
			})(cmd, nil)
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

func newStatus(p *program) *cobra.Command {
	return &cobra.Command{
		Use: "status", Short: "Say how far each repository is read", GroupID: "check", Args: exactly(0, 0),
		Long: `Say of each repository how far it is read, how many memories it holds, how many
of its files are none, and what failed last. States:

  new      never read
  ready    as its default branch was when it was last looked at
  stale    git or the forge did not answer since: as it was before
  gone     the forge says that there is none: in no answer
  parked   reading it failed too often: an event or "sweep --all" tries again
  restored as before a push took most memories away, see "restore"`,
		Example: "  cortex-hub status\n  cortex-hub status --json",
		RunE: p.with(func(_ context.Context, o *opened, _ []string) error {
			s := statusOf(o)
			return o.say(s, func() {
				for i := range s.Repositories {
					r := &s.Repositories[i]
					o.printf("%-8s %-30s %6d memories %4d problems  %-12s %s",
						r.State, r.Name, r.Memories, r.Problems, r.Commit[:min(len(r.Commit), 12)], oneLine(r.Says))
				}
				for _, r := range s.Repositories {
					if r.Lost != nil && r.State != "restored" {
						o.printf("%s lost %d of %d memories in one push: cortex-hub restore %[1]s", r.Name, r.Lost.Gone,
							r.Lost.Had)
					}
				}
				o.printf("%s", s.sum())
			})
		}),
	}
}

// standing is the answer of status.
type standing struct {
	Repositories []repository   `json:"repositories"`
	States       map[string]int `json:"states"`
	Memories     int            `json:"memories"`
	Problems     int            `json:"problems"`
}

// repository is how one stands.
type repository struct {
	Forge    string    `json:"forge"`
	Name     string    `json:"name"`
	URL      string    `json:"url"`
	State    string    `json:"state"`
	Branch   string    `json:"branch"`
	Commit   string    `json:"commit"`
	Memories int       `json:"memories"`
	Problems int       `json:"problems"`
	Flagged  int       `json:"flagged"`
	Purged   int       `json:"purged"`
	Checked  time.Time `json:"checked,omitzero"`
	Moved    time.Time `json:"moved,omitzero"`
	Due      time.Time `json:"due,omitzero"`
	Tries    int       `json:"tries"`
	Says     string    `json:"says"`
	Lost     *hub.Lost `json:"lost,omitempty"`
}

func statusOf(o *opened) standing {
	s := standing{Repositories: []repository{}, States: map[string]int{}}
	for _, r := range o.repositories() {
		one := repository{
			Forge: r.Forge, Name: r.Name, URL: r.URL, State: stateOf(r), Branch: r.Ref, Commit: r.OID,
			Checked: r.Checked, Moved: r.Moved, Due: r.Due, Tries: r.Tries, Says: oneLine(r.Says), Lost: r.Lost,
			Purged: r.Purged,
		}
		for _, f := range r.Files {
			switch {
			case f.Problem != "":
				one.Problems++
			default:
				one.Memories++
			}
			if len(f.Flags) > 0 {
				one.Flagged++
			}
		}
		s.Repositories = append(s.Repositories, one)
		s.States[one.State]++
		s.Memories += one.Memories
		s.Problems += one.Problems
	}
	return s
}

func stateOf(r *hub.Repo) string {
	if r.Restored != "" && r.State == hub.Ready {
		return "restored"
	}
	return cmp.Or(string(r.State), "new")
}

// sum is a line about all repositories.
func (s standing) sum() string {
	if len(s.Repositories) == 0 {
		return "The hub has no repositories yet: cortex-hub add FORGE NAME URL"
	}
	line := plural(s.Memories, "memory", "memories") + " in " + repositories(len(s.Repositories)) + ":"
	for _, state := range slices.Sorted(maps.Keys(s.States)) {
		line += fmt.Sprintf(" %d %s", s.States[state], state)
	}
	return line
}

func newRebuild(p *program) *cobra.Command {
	return &cobra.Command{
		Use: "rebuild NAME", Short: "Read a repository again as if for the first time", GroupID: "check",
		Args: exactly(1, 1),
		Long: `Forget what is known of a repository, so that "serve" or "sweep" reads all of it
again from git. What was purged stays away.`,
		Example:           "  cortex-hub rebuild acme/web && cortex-hub sweep",
		ValidArgsFunction: p.complete((*opened).repositoryNames),
		RunE: p.onOne(func(o *opened, _ context.Context, key string) error { return o.Rebuild(key) },
			"rebuilding", "%s is read again by cortex-hub serve or cortex-hub sweep"),
	}
}

func newRestore(p *program) *cobra.Command {
	return &cobra.Command{
		Use: "restore NAME", Short: "Undo the loss of most memories in one push", GroupID: "check", Args: exactly(1, 1),
		Long: `Have a repository answer as before a push took more than half of its memories
away: for seven days after that push, or until its branch moves on. "status"
says where that is so. Git is not touched: revert the push there.`,
		Example:           "  cortex-hub restore acme/web",
		ValidArgsFunction: p.complete((*opened).repositoryNames),
		RunE: p.onOne(func(o *opened, ctx context.Context, key string) error {
			if err := o.Restore(ctx, key); err != nil {
				return answer.WithHint(err, "cortex-hub status says where memories were lost")
			}
			return nil
		}, "restored", "%s answers as before the push, until its branch moves on"),
	}
}
