package ui

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/git-cortex/cortex/workspace"
)

// slowReader notes how many requests hold a repository while an answer is written to it.
type slowReader struct {
	*httptest.ResponseRecorder
	server *server
	held   int
	wrote  bool
}

func (r *slowReader) Write(data []byte) (int, error) {
	r.held, r.wrote = len(r.server.slots), true
	return r.ResponseRecorder.Write(data)
}

// TestSlowReader: a browser that reads slowly keeps nobody else from a repository.
func TestSlowReader(t *testing.T) {
	dir := t.TempDir()
	for _, sub := range []string{"objects", "refs"} { // all that makes a repository for git
		if err := os.MkdirAll(filepath.Join(dir, ".git", sub), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, ".git", "HEAD"), []byte("ref: refs/heads/main\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	s := newServer(Host{Dirs: []string{dir}, Open: func(ctx context.Context, dir string) (*workspace.Workspace, error) {
		environ := append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		return workspace.Open(ctx, workspace.Env{Dir: dir, Environ: environ, Now: time.Now, Version: "test"})
	}})
	defer s.close()
	looked := 0
	page := s.page(new(guard), func(*visit, context.Context) (*page, error) {
		looked = len(s.slots)
		return &page{JSON: func(w io.Writer) error { _, err := io.WriteString(w, "{}"); return err }}, nil
	})
	r := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/r/0/?json", http.NoBody)
	r.SetPathValue("repo", "0")
	w := &slowReader{ResponseRecorder: httptest.NewRecorder(), server: s}
	page.ServeHTTP(w, r)
	if w.Code != http.StatusOK || looked != 1 || !w.wrote || w.held != 0 {
		t.Errorf("answered %d %q; held by %d while it looked and %d while it was read, want 1 and 0", w.Code, w.Body, looked, w.held)
	}
}

// TestWarm: a repository is opened before anybody asks for a page, and one that cannot be
// is for the page to tell of.
func TestWarm(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	opened := make(chan string, 2)
	err := Serve(ctx, Host{Dirs: []string{"first", "second"}, Open: func(_ context.Context, dir string) (*workspace.Workspace, error) {
		opened <- dir
		return nil, errors.New("it is no repository")
	}}, func(string) error {
		if dir := <-opened; dir != "first" {
			t.Errorf("%s was opened", dir)
		}
		cancel()
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestWarmEnds: where the address cannot be told to anybody, what was begun in the
// background is given up, and not waited for.
func TestWarmEnds(t *testing.T) {
	untold := errors.New("the terminal is gone")
	err := Serve(t.Context(), Host{Dirs: []string{"large"}, Open: func(ctx context.Context, _ string) (*workspace.Workspace, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}}, func(string) error { return untold })
	if !errors.Is(err, untold) {
		t.Error(err)
	}
}
