package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-cortex/cortex/hub"
	face "github.com/git-cortex/cortex/serve/hub"
)

const usualAddress = "127.0.0.1:7420"

func add(ctx context.Context, o *opened, args []string) error {
	if len(args) != 3 {
		return errUsage
	}
	ref := hub.RepoRef{Forge: args[0], Name: args[1], URL: args[2]}
	if _, ok := o.forges[ref.Forge]; !ok {
		return fmt.Errorf("adding %s: hub.json has no forge %q", ref.Name, ref.Forge)
	}
	if _, err := o.mirrors.Add(ctx, ref.URL); err != nil { // an address that is not allowed is refused now
		return err
	}
	return o.Add(ref)
}

func sweep(ctx context.Context, o *opened, args []string) error {
	if len(args) > 0 && !slices.Equal(args, []string{"-all"}) {
		return errUsage
	}
	return o.Sweep(ctx, len(args) > 0)
}

// repositories are those of the hub, by name.
func (o *opened) repositories() []*hub.Repo {
	return slices.SortedFunc(maps.Values(o.Repos()), func(a, b *hub.Repo) int { return cmp.Compare(a.Name, b.Name) })
}

func status(_ context.Context, o *opened, _ []string) error {
	for _, r := range o.repositories() {
		problems := 0
		for _, f := range r.Files {
			if f.Problem != "" {
				problems++
			}
		}
		commit := r.OID[:min(len(r.OID), 12)]
		fmt.Fprintf(o.out, "%-8s %-30s %6d memories %4d problems  %-12s %s\n",
			cmp.Or(string(r.State), "new"), r.Name, len(r.Files)-problems, problems, commit, oneLine(r.Says))
	}
	return nil
}

func rebuild(_ context.Context, o *opened, args []string) error {
	if len(args) != 1 {
		return errUsage
	}
	for _, r := range o.repositories() {
		if r.Name == args[0] {
			return o.Rebuild(r.Key())
		}
	}
	return fmt.Errorf("there is no repository %q: cortex-hub status lists them", args[0])
}

// verify compares the files of each repository with those of the commit that it is said to hold.
func verify(ctx context.Context, o *opened, _ []string) error {
	differ := 0
	for _, r := range o.repositories() {
		if r.OID == "" {
			continue
		}
		list, _, err := hub.Mirrored{Mirror: o.mirrors}.Changes(ctx, r.URL, "", r.OID)
		if err != nil {
			return fmt.Errorf("verifying %s: %w", r.Name, err)
		}
		same := len(list) == len(r.Files)
		for _, c := range list {
			same = same && r.Files[c.Path].Blob == c.Blob
		}
		if !same {
			differ++
			fmt.Fprintf(o.out, "%s differs from its commit %s: cortex-hub rebuild %s\n", r.Name, r.OID, r.Name)
		}
	}
	if differ > 0 {
		return errProblems
	}
	return nil
}

// Bounds of a connection.
const (
	headerLimit = 10 * time.Second
	answerLimit = time.Minute
	maxHeader   = 64 << 10
)

func serve(ctx context.Context, o *opened, _ []string) error {
	at := cmp.Or(o.settings.Listen, usualAddress)
	if o.settings.Cert == "" && !isLoopback(at) {
		return fmt.Errorf("serving %s: tokens come in, so an address that others reach needs cert and key, "+
			"or a proxy with TLS before 127.0.0.1", at)
	}
	on, err := (&net.ListenConfig{}).Listen(ctx, "tcp", at)
	if err != nil {
		return fmt.Errorf("serving: %w", err)
	}
	server := &http.Server{
		Handler: face.Handler(face.Options{
			Hub: o.Hub, Forges: o.forges, Secrets: o.secrets, Now: o.now, Note: o.note,
		}),
		ReadHeaderTimeout: headerLimit, ReadTimeout: answerLimit, WriteTimeout: answerLimit, IdleTimeout: answerLimit,
		MaxHeaderBytes: maxHeader,
	}
	fmt.Fprintf(o.out, "listening on %s\n", on.Addr())
	ctx, end := context.WithCancel(ctx)
	defer end()
	var group sync.WaitGroup
	group.Go(func() { o.Run(ctx) })
	context.AfterFunc(ctx, func() { _ = server.Close() })
	if o.settings.Cert != "" {
		err = server.ServeTLS(on, o.settings.Cert, o.settings.Key)
	} else {
		err = server.Serve(on)
	}
	end()
	group.Wait()
	if errors.Is(err, http.ErrServerClosed) {
		return nil
	}
	return fmt.Errorf("serving: %w", err)
}

// isLoopback reports whether an address is reached from this machine alone.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	return strings.EqualFold(host, "localhost") || net.ParseIP(host).IsLoopback()
}
