package client_test

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops/user"
	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/internal/forgetest"
	"github.com/git-cortex/cortex/internal/testrun"
)

// environ is an environment whose user has set a hub, and whose git knows the password of alice there.
func environ(t *testing.T, address string) []string {
	t.Helper()
	home := t.TempDir()
	file := filepath.Join(home, "gitconfig")
	text := fmt.Sprintf("[cortex \"hub\"]\n\turl = %s\n\tforge = work\n[credential]\n\thelper = store --file=%s\n",
		address, filepath.ToSlash(home)+"/passwords")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	env := append(forgetest.Environ(home), "GIT_CONFIG_GLOBAL="+file)
	u, err := client.Address(address)
	if err != nil {
		return env
	}
	git, err := user.Open(env)
	if err == nil {
		err = git.Approve(t.Context(), u, user.Login{User: "alice", Secret: "s3cret"})
	}
	if err != nil {
		t.Fatal(err)
	}
	return env
}

// answering is a hub that gives one answer, and keeps what it was asked.
func answering(t *testing.T, status int, body string) (address string, asked func() *http.Request) {
	t.Helper()
	var last *http.Request
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		last = r
		w.Header().Set("Location", "https://evil.example.org/")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}))
	t.Cleanup(server.Close)
	return server.URL, func() *http.Request { return last }
}

func search(t *testing.T, env []string) (*client.Answer, error) {
	t.Helper()
	c, err := client.Open(t.Context(), env)
	if err != nil {
		return nil, err
	}
	return c.Search(t.Context(), client.Question{Query: "uploads"})
}

func TestSearch(t *testing.T) {
	const sent = `{"query":"uploads","filters":{},"forge":"work","repositories":2,"memories":7,"results":[` +
		`{"id":"1","title":"a","blob":"b1","new":[1],"places":[{"repository":"web","path":"p","stale":true}]},` +
		`{"id":"2","title":"b","blob":"b2","flags":["instruction"]}],"total":2,"took_ms":0}`
	address, asked := answering(t, http.StatusOK, sent)
	a, err := search(t, environ(t, address))
	if err != nil {
		t.Fatal(err)
	}
	if name, password, _ := asked().BasicAuth(); name != "alice" || password != "s3cret" {
		t.Errorf("asked as %s with %s", name, password)
	}
	if len(a.Results) != 2 || !a.Results[0].Places[0].Stale {
		t.Errorf("answer: %+v", a)
	}
	data, err := json.Marshal(a)
	if diff := cmp.Diff(sent, string(data)); err != nil || diff != "" {
		t.Error(err, diff)
	}
	if err := a.Unflagged(); err != nil {
		t.Error(err)
	}
	if len(a.Results) != 1 || a.Results[0].ID != "1" || a.Flagged != 1 {
		t.Errorf("without those with flags: %+v", a)
	}
}

// TestRefusals: each way in which a hub does not answer is an error of its own, and none holds the password.
func TestRefusals(t *testing.T) {
	for _, test := range []struct {
		status int
		body   string
		want   error
	}{
		{http.StatusUnauthorized, `{"error": "no s3cret"}`, client.ErrDenied},
		{http.StatusServiceUnavailable, `{"error": "later"}`, client.ErrUnavailable},
		{http.StatusServiceUnavailable, "<html>", client.ErrUnavailable},
		{http.StatusTooManyRequests, `{"error": "slow"}`, client.ErrTooOften},
		{http.StatusBadRequest, `{"error": "what is s3cret"}`, client.ErrQuestion},
		{http.StatusNotFound, `{"error": "none"}`, client.ErrNone},
		{http.StatusFound, "", client.ErrAnswer},
		{http.StatusInternalServerError, `{"error": "s3cret"}`, client.ErrAnswer},
		{http.StatusOK, "<html>", client.ErrAnswer},
		{http.StatusOK, strings.Repeat(" ", 9<<20), client.ErrAnswer},
	} {
		address, _ := answering(t, test.status, test.body)
		_, err := search(t, environ(t, address))
		if !errors.Is(err, test.want) || strings.Contains(fmt.Sprint(err), "s3cret") {
			t.Errorf("%d %.20s: %v, want %v", test.status, test.body, err, test.want)
		}
	}
}

// TestDeniedIsForgotten: git is told that a password is wrong, and asked for no other.
func TestDeniedIsForgotten(t *testing.T) {
	address, _ := answering(t, http.StatusUnauthorized, "{}")
	env := environ(t, address)
	if _, err := search(t, env); !errors.Is(err, client.ErrDenied) {
		t.Errorf("first: %v", err)
	}
	if _, err := search(t, env); !errors.Is(err, user.ErrNoLogin) {
		t.Errorf("then: %v", err)
	}
}

func TestUnreachable(t *testing.T) {
	server := httptest.NewServer(http.NotFoundHandler())
	address := server.URL
	server.Close()
	start := time.Now()
	if _, err := search(t, environ(t, address)); !errors.Is(err, client.ErrUnreachable) {
		t.Errorf("after %v: %v", time.Since(start), err)
	}
}

// TestSilent: a hub that takes the connection, or begins an answer, and says nothing more is waited for only so long.
func TestSilent(t *testing.T) {
	for name, begin := range map[string]string{"nothing": "", "half": "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n{"} {
		t.Run(name, func(t *testing.T) {
			if begin != "" {
				testrun.FullOnly(t, "a hub that stops in the middle, for ten seconds")
			}
			t.Parallel()
			on, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				t.Fatal(err)
			}
			defer on.Close()
			go func() {
				conn, err := on.Accept()
				if err != nil {
					return
				}
				if _, err = http.ReadRequest(bufio.NewReader(conn)); err == nil {
					_, _ = conn.Write([]byte(begin))
				}
			}()
			start := time.Now()
			_, err = search(t, environ(t, "http://"+on.Addr().String()))
			if !errors.Is(err, client.ErrUnreachable) || !strings.HasSuffix(fmt.Sprint(err), ": it takes too long") {
				t.Errorf("after %v: %v", time.Since(start), err)
			}
		})
	}
}

// TestAddress: a password is sent over TLS or to this machine alone.
func TestAddress(t *testing.T) {
	for text, want := range map[string]error{
		"https://hub.example.org": nil, "https://example.org/hub/": nil, "http://127.0.0.1:7420": nil,
		"http://localhost:7420": nil, "http://[::1]:1": nil,
		"http://hub.example.org": client.ErrAddress, "http://10.0.0.1": client.ErrAddress,
		"http://127.0.0.1.example.org": client.ErrAddress, "https://alice:s3cret@hub.example.org": client.ErrAddress,
		"ftp://hub.example.org": client.ErrAddress, "hub.example.org": client.ErrAddress,
		"https://hub.example.org?x=1": client.ErrAddress, "https:///v1": client.ErrAddress, "": client.ErrAddress,
	} {
		_, err := client.Address(text)
		if !errors.Is(err, want) || strings.Contains(fmt.Sprint(err), "s3cret") {
			t.Errorf("%q: %v, want %v", text, err, want)
		}
	}
	if _, err := search(t, environ(t, "http://hub.example.org")); !errors.Is(err, client.ErrAddress) {
		t.Errorf("an address without TLS: %v", err)
	}
	if _, err := search(t, environ(t, "")); !errors.Is(err, client.ErrNoAddress) {
		t.Errorf("no address: %v", err)
	}
}

// TestNoRepositoryNamesAHub: the configuration of a clone, and what its files say, name no hub.
func TestNoRepositoryNamesAHub(t *testing.T) {
	address, asked := answering(t, http.StatusOK, "{}")
	dir := forgetest.Work(t)
	forgetest.Git(t, dir, "config", "cortex.hub.url", address)
	forgetest.Commit(t, dir, map[string]string{".cortex/config.yaml": "hub: " + address + "\n"})
	t.Chdir(dir)
	if _, err := search(t, environ(t, "")); !errors.Is(err, client.ErrNoAddress) || asked() != nil {
		t.Errorf("%v, asked %v", err, asked())
	}
}
