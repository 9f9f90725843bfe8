package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/gitops/mirror"
	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/hub/files"
	"github.com/git-cortex/cortex/hub/forge"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

func newDemo(p *program) *cobra.Command {
	return &cobra.Command{
		Use: "demo", Short: "See a hub answer two callers", GroupID: "use", Args: exactly(0, 0),
		Long: `Make three invented repositories and a hub over them in a temporary folder, and
have two callers, who may read different ones, ask it the same. Everything that
is shown happens, with git and the store that a hub has in a folder; nothing is
fetched from a network, and the folder is removed at the end.`,
		Example: "  cortex-hub demo\n  cortex-hub demo --json",
		RunE:    func(cmd *cobra.Command, _ []string) error { return p.demo(cmd.Context()) },
	}
}

// invented are the memories of the repositories of the demo.
func invented() map[string][][2]string {
	return map[string][][2]string{
		"acme/web": {
			{"Uploads over 1 MB fail with 413", "nginx has client_max_body_size at 1m: raise it in deploy/nginx.conf."},
			{"The test suite needs a running queue", "Start it with make queue, or the login tests hang."},
		},
		"acme/api": {
			{"Uploads over 1 MB fail with 413", "nginx has client_max_body_size at 1m: raise it in deploy/nginx.conf."},
			{"Uploads are streamed to the bucket", "Decided: a worker that buffers them runs out of memory."},
		},
		"acme/billing": {
			{"Uploads of invoices are kept for ten years", "Decided with the auditors: never delete them by a job."},
		},
	}
}

// badges is a forge of the demo: who reads which repositories.
type badges map[string][]string

// Readable is [hub.Forge].
func (b badges) Readable(_ context.Context, c hub.Credentials, ask []hub.RepoRef) ([]hub.RepoRef, string, error) {
	names, ok := b[c.User]
	if !ok || c.Secret != "demo" {
		return nil, "", hub.ErrDenied
	}
	return lists.Without(ask, func(r hub.RepoRef) bool { return !slices.Contains(names, r.Name) }),
		"", nil
}

// Event is [hub.Forge]: nobody has a secret here.
func (badges) Event(func(string) string, []byte, []byte) (hub.RepoRef, error) {
	return hub.RepoRef{}, hub.ErrForged
}

// told holds a question of a caller of the demo with its answer.
type told struct {
	Caller  string `json:"caller"`
	Query   string `json:"query"`
	Read    int    `json:"memories"` // that they may read
	Results []seen `json:"results"`
}

type seen struct {
	Title        string   `json:"title"`
	Repositories []string `json:"repositories"`
}

// demo shows a hub in a folder that ends with it.
func (p *program) demo(ctx context.Context) (err error) {
	dir, err := os.MkdirTemp("", "cortex-hub-demo-")
	if err != nil {
		return fmt.Errorf("making a folder for the demo: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	h, closing, err := p.stage(ctx, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closing()) }()
	const query = "why do uploads fail"
	answers := []told{}
	for _, caller := range []string{"alice", "bob"} {
		one, err := asks(ctx, h, caller, query)
		if err != nil {
			return err
		}
		answers = append(answers, one)
	}
	cert, err := h.Purge(ctx, hub.Purge{Text: "client_max_body_size", By: "the demo"})
	if err != nil {
		return err
	}
	after, err := asks(ctx, h, "alice", query)
	if err != nil {
		return err
	}
	story := map[string]any{"repositories": invented(), "answers": append(answers, after), "certificate": cert}
	return p.say(story, func() { p.tell(answers, cert, after) })
}

// tell prints what happened as a story.
func (p *program) tell(answers []told, cert *hub.Certificate, after told) {
	p.printf("1. Three repositories, with memories that agents left there:")
	for _, name := range []string{"acme/web", "acme/api", "acme/billing"} {
		for _, m := range invented()[name] {
			p.printf("     %-14s %s", name, m[0])
		}
	}
	p.printf("")
	p.printf("2. Alice may read all three, Bob acme/web alone. Both ask: %s", answers[0].Query)
	for _, one := range answers {
		p.answer(one)
	}
	p.printf("   One memory in two repositories is one result. Of what Bob may not read there is")
	p.printf("   no trace: not in the results, not in the totals, not in the ranking.")
	p.printf("")
	p.printf("3. The operator purges what speaks of client_max_body_size: %d files go. Git still has", len(cert.Files))
	p.printf("   them, but they never come in again. What still holds the text, by the certificate:")
	for _, left := range cert.Left {
		p.printf("     %s: %s", left.Where, left.Says)
	}
	p.printf("   Alice asks again:")
	p.answer(after)
	p.printf("")
	p.printf("A hub of your own: https://github.com/git-cortex/cortex/blob/main/docs/hub.md")
}

func (p *program) answer(t told) {
	p.printf("     %s is answered from %d memories:", t.Caller, t.Read)
	for _, r := range t.Results {
		p.printf("       %-44s %s", r.Title, strings.Join(r.Repositories, ", "))
	}
}

// asks asks the hub in the name of a caller.
func asks(ctx context.Context, h *hub.Hub, user, query string) (told, error) {
	c := hub.Caller{Forge: "demo", Credentials: hub.Credentials{User: user, Secret: "demo"}}
	a, err := h.Search(ctx, c, hub.Question{Text: query})
	if err != nil {
		return told{}, fmt.Errorf("asking as %s: %w", user, err)
	}
	out := told{Caller: user, Query: query, Read: a.View, Results: []seen{}}
	for _, f := range a.Found {
		one := seen{Title: f.Memory.Title}
		for _, place := range f.Places {
			one.Repositories = append(one.Repositories, place.Repository)
		}
		out.Results = append(out.Results, one)
	}
	return out, nil
}

// stage makes the repositories and a hub that has read them.
func (p *program) stage(ctx context.Context, dir string) (*hub.Hub, func() error, error) {
	mirrors, err := mirror.Open(ctx, filepath.Join(dir, "mirrors"),
		mirror.Options{Environ: p.environ, Protocols: []string{"file"}})
	if err != nil {
		return nil, nil, err
	}
	copies := hub.Mirrored{Mirror: mirrors}
	store, err := files.Open(dir, copies.Read, p.now)
	if err != nil {
		return nil, nil, err
	}
	reads := badges{"alice": {"acme/web", "acme/api", "acme/billing"}, "bob": {"acme/web"}}
	forges := map[string]hub.Forge{"demo": forge.NewCache(reads, p.now)}
	h, err := hub.Open(store, copies, hub.Options{Forges: forges, Now: p.now, Log: p.logger()})
	for name := range invented() {
		at := ""
		if err == nil {
			at, err = mirrors.Scratch(ctx, filepath.Join(dir, "repos", filepath.FromSlash(name)), p.filesOf(name))
		}
		if err == nil {
			err = h.Add(hub.RepoRef{Forge: "demo", Name: name, URL: at})
		}
	}
	if err == nil {
		err = h.Sweep(ctx, true)
	}
	if err != nil {
		return nil, nil, errors.Join(err, store.Close())
	}
	return h, store.Close, nil
}

// filesOf are the files of an invented repository.
func (p *program) filesOf(name string) map[string][]byte {
	out := map[string][]byte{}
	for i, text := range invented()[name] {
		m := memory.New(memory.Gotcha, text[0], text[1], p.now().AddDate(0, 0, -7*(i+1)))
		out[mirror.Folder+"/"+m.Path()] = memory.Format(m)
	}
	return out
}
