package hubtest

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	face "github.com/git-cortex/cortex/serve/hub"
)

// Leaks looks for what a hub tells callers of repositories that they may not read.
type Leaks struct {
	*Corpus
	Store  hub.Store
	Like   hub.Store                       // whose answers are to be the same; nil for none
	Before func(round int, in []*hub.Repo) // is told what is granted; may be nil
	Count  func() int                      // the statements that a database was sent so far; may be nil
	grants grants
	faces  []http.Handler // of Store, then of Like
	found  []string
	told   int                // memories in briefings
	ids    map[memory.ID]bool // of memories that the caller may read
}

// grants is a forge that lets every caller read the same repositories.
type grants struct{ names map[string]bool }

func (g *grants) Readable(_ context.Context, _ hub.Credentials, ask []hub.RepoRef) ([]hub.RepoRef, string, error) {
	return lists.Without(ask, func(r hub.RepoRef) bool { return !g.names[r.Name] }), "", nil
}

func (g *grants) Event(func(string) string, []byte, []byte) (hub.RepoRef, error) {
	return hub.RepoRef{}, hub.ErrForged
}

// Find asks everything that a caller can ask, in the name of so many callers with random grants, and returns what
// was wrong with the answers.
func (l *Leaks) Find(t testing.TB, rounds int) []string {
	t.Helper()
	for _, s := range []hub.Store{l.Store, l.Like} {
		if s != nil {
			l.faces = append(l.faces, l.face(t, s))
		}
	}
	l.grant(l.Repos)
	for _, f := range l.faces { // what is read once and kept for everybody is no difference between two answers
		send(f, search(misspelt(l.Absent)+" proxy", ""))
	}
	questions := l.Questions(rounds)
	for round := range rounds {
		in := l.grant(l.Grants())
		if l.Before != nil {
			l.Before(round, in)
		}
		l.ask(search(questions[round], ""))
		l.ask(search(l.passage(1), ""))
		l.ask(who(SharedError))
		l.ask(who("error: " + l.passage(5)))
		l.ask(brief(l.Words(12) + " " + strings.Join(l.Markers, " ")))
		for _, path := range []string{"/v1/stats", "/v1/contradictions", "/healthz", "/readyz", "/metrics"} {
			l.ask(request{"GET", path, ""})
		}
		l.counts(in)
		l.controls(in)
		l.briefings()
		l.secrets(round)
		if len(l.found) > 0 {
			return l.found
		}
	}
	if l.told == 0 {
		l.wrong("no briefing tells of anything")
	}
	return l.found
}

// grant lets callers read repositories from now on, and returns those that are in answers.
func (l *Leaks) grant(in []*hub.Repo) []*hub.Repo {
	in = lists.Without(in, func(r *hub.Repo) bool { return !r.Shown() })
	l.grants.names, l.ids = map[string]bool{}, map[memory.ID]bool{}
	for _, r := range in {
		l.grants.names[r.Name] = true
		for _, f := range r.Files {
			l.ids[f.ID] = true
		}
	}
	return in
}

// face is a hub over a store, with its HTTP.
func (l *Leaks) face(t testing.TB, s hub.Store) http.Handler {
	t.Helper()
	forges, log := map[string]hub.Forge{Forge: &l.grants}, slog.New(slog.DiscardHandler)
	var briefing []string // all may come into briefings
	for _, r := range l.Repos {
		briefing = append(briefing, r.Name)
	}
	h, err := hub.Open(s, nil, hub.Options{Forges: forges, Now: Clock, Log: log, Briefing: briefing})
	if err != nil {
		t.Fatal(err)
	}
	turn := 0 // no time passes in an answer, and a second between two
	now := func() time.Time { turn++; return Clock().Add(time.Duration(turn/4) * time.Second) }
	return face.Handler(face.Options{Hub: h, Forges: forges, Now: now, Log: log})
}

// request is a request of a caller.
type request struct{ method, path, body string }

func search(query, repo string) request {
	repos := []string{}
	if repo != "" {
		repos = append(repos, repo)
	}
	body, _ := json.Marshal(map[string]any{"query": query, "repos": repos, "limit": 100})
	return request{"POST", "/v1/search", string(body)}
}

func who(text string) request {
	body, _ := json.Marshal(map[string]any{"error": text})
	return request{"POST", "/v1/who", string(body)}
}

func brief(names string) request {
	body, _ := json.Marshal(map[string]any{"names": strings.Fields(names)})
	return request{"POST", "/v1/brief", string(body)}
}

func show(name string) request { return request{"GET", "/v1/memory/" + name, ""} }

// took is the part of an answer that is another one each time.
var took = regexp.MustCompile(`"took_ms": ?[0-9.]+`)

// ask sends a request and looks through what comes back. Both stores must say the same.
func (l *Leaks) ask(r request) (code int, body string, statements int) {
	before := l.count()
	code, body = send(l.faces[0], r)
	statements = l.count() - before
	if len(l.faces) > 1 {
		if likeCode, like := send(l.faces[1], r); likeCode != code || like != body {
			l.wrong("%s: %d %s\nand by the other store %d %s", r, code, body, likeCode, like)
		}
	}
	l.look(r, body)
	return code, body, statements
}

func send(h http.Handler, r request) (int, string) {
	sent := httptest.NewRequest(r.method, r.path, strings.NewReader(r.body))
	sent.SetBasicAuth("ann", "token")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, sent)
	return w.Code, took.ReplaceAllString(w.Body.String(), `"took_ms":0`)
}

func (l *Leaks) count() int {
	if l.Count == nil {
		return 0
	}
	return l.Count()
}

func (l *Leaks) wrong(format string, args ...any) {
	l.found = append(l.found, fmt.Sprintf(format, args...))
}

// object is the name of a file as answers have it.
var object = regexp.MustCompile(`"blob": ?"([0-9a-f]{40})"`)

// look looks for words and files of repositories that are not granted.
func (l *Leaks) look(r request, body string) {
	for i, marker := range l.Markers {
		if !l.grants.names[l.Repos[i].Name] && strings.Contains(body, marker) &&
			!strings.Contains(r.path+r.body, marker) {
			l.wrong("%s: the answer speaks of %s: %s", r, marker, body)
		}
	}
	for _, m := range object.FindAllStringSubmatch(body, -1) {
		if !l.holds(m[1]) {
			l.wrong("%s: the answer holds the file %s", r, m[1])
		}
	}
}

// holds reports whether a granted repository has a file.
func (l *Leaks) holds(blob string) bool {
	for _, r := range l.Repos {
		for _, f := range r.Files {
			if f.Blob == blob && l.grants.names[r.Name] {
				return true
			}
		}
	}
	return false
}

// counts: statistics are of what is granted.
func (l *Leaks) counts(in []*hub.Repo) {
	_, body, _ := l.ask(request{"GET", "/v1/stats", ""})
	var got struct {
		Memories     int
		Repositories []struct{ Repository string }
		Traps        []struct{ Repositories int }
	}
	err := json.Unmarshal([]byte(body), &got)
	ids := map[memory.ID]bool{}
	for _, r := range in {
		for _, f := range r.Files {
			ids[f.ID] = true
		}
	}
	if err != nil || got.Memories != len(ids) || len(got.Repositories) != len(in) {
		l.wrong("statistics of %d memories in %d repositories: %v, %s", len(ids), len(in), err, body)
	}
	for _, t := range got.Traps {
		if t.Repositories > len(in) {
			l.wrong("an error is said to be met by %d of %d repositories: %s", t.Repositories, len(in), body)
		}
	}
}

// controls: what is granted is found, so that silence is no answer to everything.
func (l *Leaks) controls(in []*hub.Repo) {
	for _, r := range in[:min(len(in), 1)] {
		marker := strings.TrimPrefix(r.Name, "acme/")
		for path, f := range r.Files {
			if !strings.Contains(path, marker) {
				continue
			}
			if _, body, _ := l.ask(search(marker, "")); !strings.Contains(body, `"`+r.Name+`"`) {
				l.wrong("%s may be read, and is not found: %s", r.Name, body)
			}
			if code, body, _ := l.ask(show(string(f.ID))); code != http.StatusOK {
				l.wrong("%s of %s may be read: %d %s", f.ID, r.Name, code, body)
			}
			if _, body, _ := l.ask(who(markedError(marker))); !strings.Contains(body, `"`+r.Name+`"`) {
				l.wrong("who met the error of %s: %s", r.Name, body)
			}
			return
		}
	}
}

// briefings have what is about a name, of repositories that are granted.
func (l *Leaks) briefings() {
	for i, r := range l.Repos {
		_, body, _ := l.ask(brief(l.Markers[i]))
		if !strings.Contains(body, `"`+r.Name+`"`) {
			continue
		}
		l.told++
		if !l.grants.names[r.Name] {
			l.wrong("a briefing tells of %s: %s", r.Name, body)
		}
	}
}

// secrets asks for something of a repository that is not granted, and for the same of one that does not exist: by
// answer and by number of statements they are the same.
func (l *Leaks) secrets(round int) {
	at := slices.IndexFunc(l.Repos, func(r *hub.Repo) bool { return !l.grants.names[r.Name] && len(marked(r)) > 0 })
	if at < 0 {
		return
	}
	marker, absent := l.Markers[at], l.Absent
	blob, id := "", memory.ID("")
	for _, f := range marked(l.Repos[at]) {
		if !l.ids[f.ID] {
			blob, id = f.Blob, f.ID
		}
	}
	pairs := [][2]request{
		{search(marker, ""), search(absent, "")},
		{search(misspelt(marker)+" proxy", ""), search(misspelt(absent)+" proxy", "")},
		{search(`"`+marker+`"`, ""), search(`"`+absent+`"`, "")},
		{search("entity:"+marker, ""), search("entity:"+absent, "")},
		{search(`file:".cortex/memories/`+marker+`"`, ""), search(`file:".cortex/memories/`+absent+`"`, "")},
		{search("queue -"+marker, ""), search("queue -"+absent, "")},
		{search("proxy", "acme/"+marker), search("proxy", "acme/"+absent)},
		{show(blob), show(strings.Repeat("0", 40))},
		{show(Forge + "/" + blob), show(Forge + "/" + strings.Repeat("0", 40))},
		{show(string(id)), show("0000000000000000")},
		{show(string(id[:12])), show("000000000000")},
		{who(markedError(marker)), who(markedError(absent))},
		{brief(marker), brief(absent)},
		{brief(marker + " proxy queue"), brief(absent + " proxy queue")},
	}
	const each = 3 // in one round
	for i := range each {
		pair := pairs[(each*round+i)%len(pairs)]
		l.ask(pair[1]) // what is found of the words that both have is kept from now on
		code, body, statements := l.ask(pair[0])
		noCode, none, noStatements := l.ask(pair[1])
		body = strings.NewReplacer(marker, absent, misspelt(marker), misspelt(absent)).Replace(body)
		if code != noCode || body != none {
			l.wrong("%s: %d %s\nand where there is none %d %s", pair[0], code, body, noCode, none)
		}
		if statements != noStatements {
			l.wrong("%s: %d statements, and where there is none %d", pair[0], statements, noStatements)
		}
	}
}

// misspelt is a marker without one of its letters.
func misspelt(marker string) string { return marker[:5] + marker[6:] }

// marked are the files of a repository that hold its marker.
func marked(r *hub.Repo) (files []hub.File) {
	for path, f := range r.Files {
		if strings.Contains(path, strings.TrimPrefix(r.Name, "acme/")) {
			files = append(files, f)
		}
	}
	return files
}

// Wide is a store that looks into all repositories, whatever is granted, unless that is nothing.
type Wide struct {
	hub.Store
	All []*hub.Repo
}

// Search looks into all repositories.
func (w Wide) Search(ctx context.Context, in []*hub.Repo, q query.Query, limit int) (*index.Result, error) {
	if len(in) == 0 {
		return w.Store.Search(ctx, in, q, limit)
	}
	return w.Store.Search(ctx, w.All, q, limit)
}

// Memories reads from all repositories.
func (w Wide) Memories(ctx context.Context, _ []*hub.Repo, ids []memory.ID) ([]hub.Hit, error) {
	return w.Store.Memories(ctx, w.All, ids)
}
