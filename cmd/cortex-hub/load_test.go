package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/git-cortex/cortex/gitops/mirror"
	"github.com/git-cortex/cortex/internal/forgetest"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
	face "github.com/git-cortex/cortex/serve/hub"
)

// How much is asked by [TestLoad].
const (
	loadCallers  = 20
	loadMemories = 400
	loadTime     = 10 * time.Minute
	loadPause    = 300 * time.Millisecond // of a caller between two questions
	pushPause    = 3 * time.Second
)

// times are how long things took. It is safe for concurrent use.
type times struct {
	mu   sync.Mutex
	list []time.Duration
}

func (l *times) note(since time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.list = append(l.list, time.Since(since))
}

// String says how many there are, the middle one, and the longest but for one in twenty.
func (l *times) String() string {
	slices.Sort(l.list)
	if len(l.list) == 0 {
		return "none"
	}
	at := func(share float64) time.Duration {
		return l.list[int(share*float64(len(l.list)-1))].Round(time.Millisecond)
	}
	return fmt.Sprintf("%d, p50 %v, p95 %v, longest %v", len(l.list), at(.5), at(.95), at(1))
}

// load is a hub over a real forge whose repositories are pushed to while callers ask.
type load struct {
	forge  *forgetest.Gitolite
	web    *httptest.Server
	asked  times
	pushed times // until git push has ended
	seen   times // from then, and from before, until it is in an answer
	wrong  chan string
}

// TestLoad has twenty callers ask for ten minutes, or for CORTEX_HUB_LOAD, of whom every other may read one of two
// repositories, while both are pushed to. Every answer is right, and nobody is told of what they may not read.
func TestLoad(t *testing.T) {
	limit, err := time.ParseDuration(os.Getenv("CORTEX_HUB_LOAD"))
	switch {
	case err == nil:
	case testrun.Nightly():
		limit = loadTime
	default:
		t.Skip("a load of ten minutes: it runs at night, or for as long as CORTEX_HUB_LOAD says, such as 1m")
	}
	l := newLoad(t)
	ctx, cancel := context.WithTimeout(t.Context(), limit)
	defer cancel()
	var group sync.WaitGroup
	for n := range loadCallers {
		group.Go(func() { l.call(ctx, n) })
	}
	group.Go(func() { l.push(ctx, t) })
	go func() { group.Wait(); close(l.wrong) }()
	for text := range l.wrong {
		t.Error(text)
	}
	t.Logf("%d callers for %v: answers: %v; pushes: %v; from the begin of a push until it is in an answer: %v",
		loadCallers, limit, &l.asked, &l.pushed, &l.seen)
	if len(l.asked.list) == 0 || len(l.seen.list) == 0 {
		t.Error("nothing was asked or pushed")
	}
}

func newLoad(t *testing.T) *load {
	t.Helper()
	l := &load{forge: forgetest.StartGitolite(t), wrong: make(chan string, 100)}
	both, one := "alice hub", ""
	for n := range loadCallers {
		if n%2 == 0 {
			both += fmt.Sprint(" user", n)
		}
		one += fmt.Sprint(" user", n)
	}
	l.forge.Rights(t, map[string][]string{
		"open": {"RW+ = alice", "R = hub" + one}, "closed": {"RW+ = alice", "R = " + both},
	})
	for _, repo := range []string{"open", "closed"} {
		files := map[string]string{}
		for n := range loadMemories {
			m := loaded(repo, fmt.Sprintf("number %d waits for the %s queue", n, []string{"mail", "image", "invoice"}[n%3]))
			files[mirror.Folder+"/"+m.Path()] = string(memory.Format(m))
		}
		work := forgetest.Work(t)
		forgetest.Commit(t, work, files)
		forgetest.Git(t, work, "push", "-q", l.forge.AddressOf("alice", repo), "HEAD:main")
	}
	s := &scene{program: &program{out: io.Discard, err: io.Discard, environ: os.Environ(), store: t.TempDir(), now: time.Now}}
	s.file(t, "hub.json", `{"protocols": ["http"], "forges": [
		{"name": "git", "secret": "hook.secret", "user": "hub", "token": "hub.token"}]}`)
	s.file(t, "hook.secret", "s3cret\n")
	s.file(t, "hub.token", forgetest.Password("hub"))
	for _, repo := range []string{"open", "closed"} {
		s.do(t, 0, "add", "git", repo, l.forge.Address(repo))
	}
	o, err := s.open(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = o.store.Close() })
	if err := o.Sweep(t.Context(), true); err != nil {
		t.Fatal(err)
	}
	l.web = httptest.NewServer(face.Handler(face.Options{Hub: o.Hub, Forges: o.forges, Secrets: o.secrets, Now: o.now}))
	t.Cleanup(l.web.Close)
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); o.Run(ctx) }()
	t.Cleanup(func() { stop(); <-ended })
	for _, repo := range []string{"open", "closed"} {
		l.forge.Hook(t, repo, l.web.URL+"/hooks/git", "s3cret")
	}
	return l
}

// loaded is a memory whose words tell which repository it is of.
func loaded(repo, title string) *memory.Memory {
	return memory.New(memory.Gotcha, title, "It was seen in the "+repo+"house, which needs room.", time.Now())
}

// answered holds the parts of an answer that a test reads.
type answered struct {
	Repositories, Memories, Total int
	Results                       []struct {
		Title  string
		Places []struct{ Repository string }
	}
}

// search asks as a user.
func (l *load) search(ctx context.Context, user, query string) (a answered, err error) {
	body, _ := json.Marshal(map[string]any{"query": query, "limit": 20})
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, l.web.URL+"/v1/search", bytes.NewReader(body))
	if err != nil {
		return a, err
	}
	req.SetBasicAuth(user, forgetest.Password(user))
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return a, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err == nil && resp.StatusCode != http.StatusOK {
		err = fmt.Errorf("%d %s", resp.StatusCode, data)
	}
	if err != nil {
		return a, err
	}
	return a, json.Unmarshal(data, &a)
}

// call asks as one of the callers, again and again.
func (l *load) call(ctx context.Context, n int) {
	user, repos := fmt.Sprint("user", n), 1+(n+1)%2
	questions := []string{"invoice queue", "closedhouse", "number 17", "openhouse room", "type:gotcha mail", "qeue waits"}
	for i := n; ctx.Err() == nil; i++ {
		start := time.Now()
		a, err := l.search(ctx, user, questions[i%len(questions)])
		switch {
		case ctx.Err() != nil:
			return
		case err != nil:
			l.wrong <- fmt.Sprintf("%s: %v", user, err)
			return
		case a.Repositories != repos || a.Memories < repos*loadMemories:
			l.wrong <- fmt.Sprintf("%s: %d memories of %d repositories", user, a.Memories, a.Repositories)
		}
		l.asked.note(start)
		for _, r := range a.Results {
			for _, p := range r.Places {
				if repos == 1 && p.Repository != "open" {
					l.wrong <- fmt.Sprintf("%s is told of %q in %s", user, r.Title, p.Repository)
				}
			}
		}
		time.Sleep(loadPause)
	}
}

// push pushes to both repositories in turn, and waits until that is in an answer.
func (l *load) push(ctx context.Context, t *testing.T) {
	works := map[string]string{}
	for _, repo := range []string{"open", "closed"} {
		works[repo] = filepath.Join(t.TempDir(), repo)
		forgetest.Git(t, t.TempDir(), "clone", "-q", l.forge.AddressOf("alice", repo), works[repo])
	}
	for n := 0; ctx.Err() == nil; n++ {
		repo := []string{"open", "closed"}[n%2]
		word := "zz" + strings.Repeat(string(rune('a'+n%26)), 3) + fmt.Sprint(n)
		m := loaded(repo, "pushed "+word)
		forgetest.Commit(t, works[repo], map[string]string{mirror.Folder + "/" + m.Path(): string(memory.Format(m))})
		start := time.Now()
		if out, err := forgetest.TryGit(t, works[repo], "push", "-q", l.forge.AddressOf("alice", repo), "HEAD:main"); err != nil {
			l.wrong <- "pushing: " + out
			return
		}
		l.pushed.note(start)
		for ctx.Err() == nil {
			a, err := l.search(ctx, "alice", word)
			if err == nil && len(a.Results) > 0 && strings.Contains(a.Results[0].Title, word) {
				l.seen.note(start)
				break
			}
			time.Sleep(150 * time.Millisecond)
		}
		time.Sleep(pushPause)
	}
}
