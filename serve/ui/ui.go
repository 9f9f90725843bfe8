// Package ui is the face for a person with a browser: pages on loopback that show
// what is remembered, where it came from, what the next session will be told and
// what waits for review, and one HTML file of the same to hand to a colleague.
// Call [Serve] or [Export].
//
// It promises that a page shows what the command of the same name answers; that
// nothing a memory says acts in the browser; that only the person who was given
// the address sees or changes anything, whatever other pages their browser has
// open; and that the server ends with its context and leaves nothing behind.
//
// The pages stand one to a file, each with a template of the same name.
package ui

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/serve/internal/projects"
	"github.com/git-cortex/cortex/workspace"
)

// Host describes the process that the pages are served from.
type Host struct {
	Dirs    []string // a folder of each repository that may be shown; at least one
	Version string
	Now     func() time.Time
	Open    func(ctx context.Context, dir string) (*workspace.Workspace, error)
	Status  func(ctx context.Context, w *workspace.Workspace) (*workspace.Status, error)
	Checks  func(ctx context.Context, w *workspace.Workspace) ([]workspace.Check, error)
	Note    func(line string) // tells a person at the terminal; may be nil
	// Hub opens the hub of other repositories, where the person asked for it; nil for none.
	Hub func(ctx context.Context) (*client.Client, error)
	// Kept is a file for the port and the secret, so that the address is the same the next time, and the browser still
	// let in; "" for none. Port is another port, 0 for that one.
	Kept string
	Port int
}

// Bounds of the server. The longest request is one that looks at all of a large
// repository for the first time.
const (
	requestLimit = 2 * time.Minute
	headerLimit  = 10 * time.Second
	maxHeader    = 64 << 10 // bytes
	atOnce       = 4        // requests that look at a repository
	// The largest memory, escaped as forms are, and what is beside it, in bytes.
	maxForm = 3*memory.MaxFile + maxHeader
)

// remembered reads the port and the secret of the last time, 0 and a new one where there are none. Where the system
// does not say whose a connection is, no secret is used again.
func remembered(path string) (port int, secret string) {
	data, _ := os.ReadFile(path)
	number, secret, _ := strings.Cut(strings.TrimSpace(string(data)), " ")
	port, _ = strconv.Atoi(number)
	if len(secret) != len(random()) || !tellsPeers {
		secret = random()
	}
	return port, secret
}

// listen opens the port that was asked for, or that of the last time, or a free one, and returns the secret for it.
// Both are kept.
func listen(ctx context.Context, host Host) (on net.Listener, secret string, err error) {
	kept, secret := remembered(host.Kept)
	var config net.ListenConfig
	on, err = config.Listen(ctx, "tcp4", fmt.Sprintf("127.0.0.1:%d", cmp.Or(host.Port, kept)))
	if err != nil && host.Port == 0 { // somebody else has it
		on, err = config.Listen(ctx, "tcp4", "127.0.0.1:0")
	} else if err == nil && host.Kept != "" {
		line := fmt.Sprintln(addrPort(on.Addr()).Port(), secret)
		_ = atomicfile.WritePath(host.Kept, []byte(line),
			atomicfile.Options{Mode: 0o600}) // or it is another one next time
	}
	if err != nil {
		err = fmt.Errorf("opening a port on this machine: %w", err)
	}
	return on, secret, err
}

// Serve answers requests on a port of 127.0.0.1 until ctx ends; then it returns
// nil. It calls ready once with the address to open, which lets one browser in, once.
func Serve(ctx context.Context, host Host, ready func(address string) error) error {
	projects.Collect()
	on, secret, err := listen(ctx, host)
	if err != nil {
		return err
	}
	s, token := newServer(host), random()
	g, err := newGuard(on.Addr().String(), token, secret)
	if err != nil {
		return errors.Join(err, on.Close())
	}
	ctx, end := context.WithCancel(ctx)
	defer end()
	s.warm(ctx)
	if err := ready("http://" + on.Addr().String() + "/?token=" + token); err != nil {
		end()
		return errors.Join(err, on.Close(), s.close())
	}
	server := &http.Server{
		Handler:           g.protect(s.pages(g)),
		ReadHeaderTimeout: headerLimit, ReadTimeout: requestLimit, WriteTimeout: 2 * requestLimit,
		IdleTimeout:    requestLimit,
		MaxHeaderBytes: maxHeader,
		BaseContext:    func(net.Listener) context.Context { return ctx },
		ErrorLog:       log.New(io.Discard, "", 0), // of connections; what concerns a person is on the page
	}
	stop := context.AfterFunc(ctx, func() { _ = server.Close() })
	defer stop()
	err = server.Serve(newOwnListener(on, host.Note))
	if errors.Is(err, http.ErrServerClosed) {
		err = nil
	}
	return errors.Join(err, s.close())
}

// server has what all requests share.
type server struct {
	host     Host
	projects *projects.Set
	slots    chan struct{} // a request holds one while it looks at a repository
	undo     *undoing
}

func newServer(host Host) *server {
	return &server{
		host: host, projects: &projects.Set{Open: host.Open, Note: host.Note},
		slots: make(chan struct{}, atOnce),
		undo:  newUndoing(),
	}
}

// warm opens the first repository and reads its memories in the background, while the
// browser starts. What goes wrong is for the first page to say, which tries again.
func (s *server) warm(ctx context.Context) {
	if len(s.host.Dirs) == 0 {
		return
	}
	s.slots <- struct{}{}
	go func() {
		defer func() { <-s.slots }()
		w, done, err := s.projects.Use(ctx, s.host.Dirs[0])
		if err != nil {
			return
		}
		defer done()
		_, _ = w.View(ctx, workspace.ViewOptions{})
	}()
}

// close waits for the requests that still run, and closes what is open.
func (s *server) close() error {
	for range atOnce {
		s.slots <- struct{}{}
	}
	return s.projects.Close()
}

// pages returns the handler of everything that is behind the guard.
func (s *server) pages(g *guard) http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /assets/{name}", serveAsset)
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/r/0/", http.StatusSeeOther)
	})
	mux.HandleFunc("GET /r/{repo}/events", s.events)
	for pattern, show := range map[string]show{
		"/r/{repo}/{$}":         (*visit).overview,
		"/r/{repo}/memories":    (*visit).memories,
		"/r/{repo}/memory/{id}": (*visit).memory,
		"/r/{repo}/timeline":    (*visit).timeline,
		"/r/{repo}/graph":       (*visit).graph,
		"/r/{repo}/review":      (*visit).review,
		"/r/{repo}/branch":      (*visit).branch,
		"/r/{repo}/briefing":    (*visit).briefing,
		"/r/{repo}/health":      (*visit).health,
		"/r/{repo}/hub":         (*visit).hub,
	} {
		mux.Handle("GET "+pattern, s.page(g, show))
	}
	for pattern, act := range map[string]act{
		"/r/{repo}/review/accept":   (*visit).accept,
		"/r/{repo}/review/reject":   (*visit).reject,
		"/r/{repo}/review/note":     (*visit).note,
		"/r/{repo}/review/keep":     (*visit).keep,
		"/r/{repo}/review/edit":     (*visit).edit,
		"/r/{repo}/review/undo":     (*visit).undoOne,
		"/r/{repo}/memory/forget":   (*visit).forget,
		"/r/{repo}/briefing/mute":   (*visit).mute,
		"/r/{repo}/briefing/unmute": (*visit).unmute,
	} {
		mux.Handle("POST "+pattern, s.change(g, act))
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, _ *http.Request) {
		refuse(w, http.StatusNotFound, "There is no such page.", "Go back to the overview.")
	})
	return mux
}

// visit is one request, and the repository that it is about as it is now.
type visit struct {
	*workspace.Workspace
	server *server
	req    *http.Request
	guard  *guard
	repo   int // which of [Host.Dirs]
}

// show finds out what a page shows: the data of the template of that name, and
// the answer that the command of the same name gives as JSON, nil for none.
type show func(v *visit, ctx context.Context) (*page, error)

// act changes something, and returns where to go then: a path below the repository's.
type act func(v *visit, ctx context.Context) (next string, err error)

// reply writes an answer that is made already.
type reply func(w http.ResponseWriter)

// visiting opens the repository that a request names, calls work with it, and writes what
// that returns when the repository is free for others again: a browser may read slowly.
func (s *server) visiting(w http.ResponseWriter, r *http.Request, g *guard,
	work func(context.Context, *visit) (reply, error),
) {
	ctx, cancel := context.WithTimeoutCause(r.Context(), requestLimit,
		fmt.Errorf("the page took longer than %s", requestLimit))
	defer cancel()
	answer, err := func() (reply, error) {
		n, err := strconv.Atoi(r.PathValue("repo"))
		if err != nil || n < 0 || n >= len(s.host.Dirs) {
			return nil, errNoRepository
		}
		select {
		case s.slots <- struct{}{}:
			defer func() { <-s.slots }()
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		at, done, err := s.projects.Use(ctx, s.host.Dirs[n])
		if err != nil {
			return nil, err
		}
		defer done()
		return work(ctx, &visit{Workspace: at, server: s, req: r, guard: g, repo: n})
	}()
	if err != nil {
		s.fail(w, r, err)
		return
	}
	answer(w)
}

// page answers a request to look at something.
func (s *server) page(g *guard, look show) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.visiting(w, r, g, func(ctx context.Context, v *visit) (reply, error) {
			p, err := look(v, ctx)
			if err != nil {
				return nil, err
			}
			return v.answer(p)
		})
	})
}

// change answers a request to change something.
func (s *server) change(g *guard, do act) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.visiting(w, r, g, func(ctx context.Context, v *visit) (reply, error) {
			next, err := do(v, ctx)
			if err != nil {
				return nil, err
			}
			if r.URL.Query().Has("json") { // the page goes on without a reload
				var b bytes.Buffer
				told := v.server.undo.take(v.Repo.Root)
				_, n := v.server.undo.last(v.Repo.Root)
				err := answer.Write(&b, map[string]any{"told": told, "undo": n})
				return document("application/json", b.Bytes()), err
			}
			return func(w http.ResponseWriter) { http.Redirect(w, r, v.path(next), http.StatusSeeOther) }, nil
		})
	})
}

// path is the address of a page of the repository.
func (v *visit) path(rest string) string { return "/r/" + strconv.Itoa(v.repo) + "/" + rest }

// name of the repository among people.
func (v *visit) name() string { return filepath.Base(v.Repo.Root) }
