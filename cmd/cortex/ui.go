package main

import (
	"context"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/process"
	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/serve/ui"
	"github.com/git-cortex/cortex/workspace"
)

type uiOptions struct {
	export string
	repos  []string
	stay   bool // do not open a browser
	hub    bool // show a page of the hub, too
	port   int  // 0 for that of the last time
}

func newUICommand(e *env) *cobra.Command {
	var opt uiOptions
	c := &cobra.Command{
		Use: "ui", Short: "Look at memories in a browser", Args: args(0, 0),
		Long: `Look at memories in a browser: what is known and where it came from, what the
next session is told, what waits for review. The pages are served on 127.0.0.1
until you press Ctrl-C. The address that is printed lets one browser in, once;
on Linux that browser stays in for a month. The port is that of the last time
in this clone, so that the page can be bookmarked.

--export writes one HTML file instead, which needs no server and no network, to
hand to a colleague. It holds the text of every memory of this view.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return runUI(cmd.Context(), e, opt) },
	}
	c.Flags().StringVar(&opt.export, "export", "", "write one HTML `FILE` instead")
	c.Flags().StringArrayVar(&opt.repos, "repo", nil, "show the repository in `DIR`; may be given several times")
	c.Flags().BoolVar(&opt.stay, "no-browser", false, "print the address and open no browser")
	c.Flags().BoolVar(&opt.hub, "hub", false,
		"add a page of the hub of your git configuration, which nothing else asks")
	c.Flags().IntVar(&opt.port, "port", 0, "serve on port `N`, and remember it")
	_ = c.MarkFlagDirname("repo")
	c.MarkFlagsMutuallyExclusive("export", "no-browser")
	c.MarkFlagsMutuallyExclusive("export", "hub")
	return c
}

func runUI(ctx context.Context, e *env, opt uiOptions) error {
	host := ui.Host{
		Version: version(), Now: e.now, Port: opt.port,
		Open: func(ctx context.Context, dir string) (*workspace.Workspace, error) {
			return workspace.Open(ctx, workspace.Env{
				Dir: dir, Environ: e.environ, Now: e.now, Version: version(), Named: true,
				Global: process.GlobalStore(e.getenv), Agent: e.agent(),
				Lives: opt.export == "",
			})
		},
		Status: func(ctx context.Context, w *workspace.Workspace) (*workspace.Status, error) {
			return statusOf(ctx, e, w)
		},
		Checks: func(ctx context.Context, w *workspace.Workspace) ([]workspace.Check, error) {
			return checksOf(ctx, e, w, false)
		},
		Note: func(line string) { e.errPrinter().Printf("cortex: %s\n", line) },
	}
	host.Dirs = lists.Map(opt.repos, e.file)
	if len(host.Dirs) == 0 {
		host.Dirs = []string{e.where()}
	}
	if opt.hub {
		host.Hub = func(ctx context.Context) (*client.Client, error) { return client.Open(ctx, e.environ) }
	}
	if opt.export != "" {
		return exportPages(ctx, e, host, e.file(opt.export))
	}
	if !signal.Ignored(syscall.SIGHUP) { // as by nohup; a terminal that is closed sends it
		open, stop := signal.NotifyContext(ctx, syscall.SIGHUP)
		defer stop()
		ctx = open
	}
	if w, err := host.Open(ctx, host.Dirs[0]); err == nil { // else the first page says why
		host.Kept = filepath.Join(w.Repo.CommonDir, "cortex", "ui")
		_ = w.Close()
	}
	leave := func() {}
	defer func() { leave() }()
	return ui.Serve(ctx, host, func(address string) error {
		if e.json {
			return answer.Write(e.out, map[string]string{"address": address})
		}
		e.printer().Printf("%s\n", address)
		if !opt.stay && e.terminal {
			_, leave = openBrowser(e.getenv("XDG_RUNTIME_DIR"), address)
		}
		if e.quiet {
			return nil
		}
		if !opt.stay && e.terminal { // browsers in a sandbox may not read the file
			e.errPrinter().Printf("If no page appears, open this address yourself.\n")
		}
		e.errPrinter().Printf("Ctrl-C ends it.\n")
		return nil
	})
}

// openBrowser asks the system to show an address, by a file in dir that leads there. Where
// that does not work, the person has it on the terminal. It returns what ends when the system
// was asked, nil if it was not, and what removes the file.
func openBrowser(dir, address string) (asked <-chan struct{}, remove func()) {
	path, remove, err := ui.Door(dir, address)
	if err != nil {
		return nil, func() {}
	}
	return process.Show(path), remove
}

// exportPages writes what is known as one file that a browser shows without us.
func exportPages(ctx context.Context, e *env, host ui.Host, path string) error {
	data, n, err := ui.Export(ctx, host)
	if err == nil {
		err = atomicfile.WritePath(path, data, atomicfile.Options{})
	}
	written := struct {
		Path     string `json:"path"`
		Memories int    `json:"memories"`
	}{path, n}
	return e.show(err, written, func(p *console.Printer) {
		if !e.quiet {
			p.Printf("Wrote %s to %s.\n", console.Plural(n, "memory", "memories"), path)
		}
	})
}
