package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/internal/answer"
	face "github.com/git-cortex/cortex/serve/hub"
)

const usualAddress = "127.0.0.1:7420"

func newServe(p *program) *cobra.Command {
	return &cobra.Command{
		Use: "serve", Short: "Answer callers, and follow the repositories", GroupID: "use", Args: exactly(0, 0),
		Long: `Answer callers, and follow the repositories, until it is told to end. It listens
on 127.0.0.1:7420 unless hub.json says otherwise. Tokens come in, so an address
that other machines reach needs a certificate, or a proxy with TLS before it.
The log on standard error is JSON, one object a line.`,
		Example: "  cortex-hub serve\n  cortex-hub --store /var/lib/hub serve",
		PreRun:  func(*cobra.Command, []string) { p.serving = true },
		RunE:    p.with(serve),
	}
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
		return answer.WithHint(fmt.Errorf("serving %s: tokens come in, and others could read them on the way", at),
			"name cert and key in hub.json, or listen on 127.0.0.1 with a proxy that has TLS before it")
	}
	on, err := (&net.ListenConfig{}).Listen(ctx, "tcp", at)
	if err != nil {
		return answer.WithHint(fmt.Errorf("serving: %w", err), `another address is "listen" in hub.json`)
	}
	server := &http.Server{
		Handler: face.Handler(face.Options{
			Hub: o.Hub, Forges: o.forges, Secrets: o.secrets, Now: o.now, Metrics: o.metrics, Log: o.log,
		}),
		ReadHeaderTimeout: headerLimit, ReadTimeout: answerLimit, WriteTimeout: answerLimit, IdleTimeout: answerLimit,
		MaxHeaderBytes: maxHeader,
	}
	err = o.say(map[string]string{"listening": on.Addr().String()}, func() { o.printf("listening on %s", on.Addr()) })
	if err != nil {
		return err
	}
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
