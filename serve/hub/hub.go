// Package hub is the face of a hub for programs: JSON over HTTP. Call [Handler].
//
// A caller is who their Authorization header says, at the forge that the request names, and is answered
// from what that forge lets them read. What is not there and what is not allowed are one answer. It
// promises bounds for everything that a stranger can send, and keeps no credentials.
package hub

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	core "github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Options hold the parts of the face that come from outside.
type Options struct {
	Hub     *core.Hub
	Forges  map[string]core.Forge // by name; requests that name none are for the only one
	Secrets map[string]string     // of webhooks, by the name of the forge; without one no event is taken
	Now     func() time.Time
	Metrics string       // the token of /metrics; "": there is no such page
	Log     *slog.Logger // of what failed, for an operator; may be nil
}

// Bounds of a request.
const (
	maxRequest = 16 << 10 // bytes of a question
	maxEvent   = 25 << 20 // bytes of a webhook
	askLimit   = 30 * time.Second
)

// server has what all requests share.
type server struct {
	Options
	rate     *rate
	requests metrics
}

// Handler returns the handler of all requests.
func Handler(opt Options) http.Handler {
	opt.Log = cmp.Or(opt.Log, slog.New(slog.DiscardHandler))
	s := &server{Options: opt, rate: newRate(opt.Now), requests: metrics{count: map[labels]*series{}}}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", alive)
	mux.HandleFunc("GET /readyz", s.ready)
	mux.HandleFunc("GET /metrics", s.measure)
	mux.HandleFunc("POST /hooks/{forge}", s.event)
	inBody := func(keys ...string) takes { return takes{body: append(keys, "forge")} }
	mux.Handle("POST /v1/search", s.limited(s.search, inBody("query", "repos", "limit")))
	mux.Handle("POST /v1/who", s.limited(s.who, inBody("error", "limit")))
	mux.Handle("POST /v1/brief", s.limited(s.brief, inBody("names")))
	inAddress := takes{address: []string{"forge"}}
	mux.Handle("GET /v1/stats", s.limited(s.stats, inAddress))
	mux.Handle("GET /v1/contradictions", s.limited(s.contradictions, inAddress))
	mux.Handle("GET /v1/memory/{forge}/{name}", s.limited(s.memory, takes{}))
	mux.Handle("GET /v1/memory/{name}", s.limited(s.memory, takes{}))
	return mux
}

func alive(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ok\n") }

// ready reports whether the store answers and every repository was read once, so that answers are whole.
func (s *server) ready(w http.ResponseWriter, _ *http.Request) {
	if !s.Hub.Reachable() {
		http.Error(w, "the store of the hub does not answer", http.StatusServiceUnavailable)
		return
	}
	for _, r := range s.Hub.Repos() {
		if r.State == core.New {
			http.Error(w, "repositories are being read for the first time", http.StatusServiceUnavailable)
			return
		}
	}
	alive(w, nil)
}

// event takes a webhook. It is told of nothing: not even whether the repository is here.
func (s *server) event(w http.ResponseWriter, r *http.Request) {
	forge, known := s.Forges[r.PathValue("forge")]
	secret := s.Secrets[r.PathValue("forge")]
	if !known || secret == "" {
		http.NotFound(w, r)
		return
	}
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxEvent))
	if err != nil {
		http.Error(w, "the event is too large, or did not end", http.StatusRequestEntityTooLarge)
		return
	}
	ref, err := forge.Event(r.Header.Get, body, []byte(secret))
	if errors.Is(err, core.ErrForged) {
		http.Error(w, core.ErrForged.Error(), http.StatusUnauthorized)
		return
	}
	if err == nil {
		s.Hub.Nudge(ref)
	}
	w.WriteHeader(http.StatusAccepted)
}

// asked is a question to which a caller gets an answer or an error.
type asked func(ctx context.Context, q question, c core.Caller) (any, error)

// takes are the keys that a request may have. One with another is refused: what is not looked at would be
// believed to have been.
type takes struct {
	body    []string // none: there is no body
	address []string // what follows its question mark
}

// limited answers callers who say who they are, and not too often.
func (s *server) limited(do asked, keys takes) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := s.Now()
		r.Body = http.MaxBytesReader(w, r.Body, maxRequest)
		out, err := s.told(r, do, keys)
		code := http.StatusOK
		if err != nil {
			code = s.fail(w, err)
		} else {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Cache-Control", "no-store")
			_ = answer.Write(w, out)
		}
		s.requests.note(r.Pattern, code, s.Now().Sub(start))
	})
}

// told is the answer to a request. It is written down before it is given, and not given if that fails.
func (s *server) told(r *http.Request, do asked, keys takes) (any, error) {
	if !s.rate.allow(r) {
		return nil, errTooOften
	}
	credentials, ok := credentialsOf(r)
	if !ok {
		return nil, core.ErrDenied
	}
	ctx, cancel := context.WithTimeout(r.Context(), askLimit)
	defer cancel()
	q, err := keys.read(r)
	c := core.Caller{Forge: cmp.Or(q.Forge, s.only()), Credentials: credentials}
	var out any
	if err == nil {
		out, err = do(ctx, q, c)
	}
	if errors.Is(err, core.ErrDenied) {
		return nil, err // of nobody: a stranger fills no audit
	}
	line, query := core.Asked{Request: r.Pattern, Status: codeOf(err)}, ""
	if a, ok := out.(audited); ok && err == nil {
		c.Forge, query, line.Repositories, line.Hits = a.audited()
	}
	return out, errors.Join(err, s.Hub.Record(ctx, c, query, line))
}

// audited is an answer that says what of it stands in the audit.
type audited interface {
	audited() (forge, query string, repositories, hits int)
}

// only is the name of the forge, where there is one.
func (s *server) only() string {
	name := ""
	for name = range s.Forges {
	}
	if len(s.Forges) != 1 {
		return ""
	}
	return name
}

// credentialsOf reads who calls: a user with a password, or a token.
func credentialsOf(r *http.Request) (core.Credentials, bool) {
	if user, secret, ok := r.BasicAuth(); ok && secret != "" {
		return core.Credentials{User: user, Secret: secret}, true
	}
	token, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	return core.Credentials{Secret: token}, ok && token != ""
}

// question holds the keys of all kinds of requests: a search has a query, who met an error that error, a briefing
// names, and one memory its name.
type question struct {
	Query string   `json:"query"`
	Error string   `json:"error"`
	Forge string   `json:"forge"`
	Repos []string `json:"repos"`
	Limit int      `json:"limit"`
	Names []string `json:"names"`

	name string
}

// read is the question of a request. An error names the keys that are not taken.
func (t takes) read(r *http.Request) (q question, err error) {
	sent := map[string]json.RawMessage{}
	if len(t.body) > 0 {
		data, err := io.ReadAll(r.Body)
		if err := errors.Join(err, json.Unmarshal(data, &q), json.Unmarshal(data, &sent)); err != nil {
			return q, errBody
		}
	}
	address := r.URL.Query()
	q.name, q.Forge = r.PathValue("name"), cmp.Or(q.Forge, r.PathValue("forge"), address.Get("forge"))
	return q, errors.Join(refuse("the body", sent, t.body), refuse("the address", address, t.address))
}

// refuse is the error of keys that are not taken.
func refuse[V any](where string, sent map[string]V, taken []string) error {
	other := maps.Clone(sent)
	maps.DeleteFunc(other, func(key string, _ V) bool { return slices.Contains(taken, key) })
	if len(other) == 0 {
		return nil
	}
	return fmt.Errorf("%w in %s: %q; known are %q", errKey, where, slices.Sorted(maps.Keys(other)), taken)
}

// answered puts what was found into the shape of its answer.
func answered[T any](found T, err error, shape func(T) any) (any, error) {
	if err != nil {
		return nil, err
	}
	return shape(found), nil
}

func (s *server) search(ctx context.Context, q question, c core.Caller) (any, error) {
	start := s.Now()
	a, err := s.Hub.Search(ctx, c, core.Question{Text: q.Query, Repos: q.Repos, Limit: q.Limit})
	return answered(a, err, func(a *core.Answer) any { return searched(q.Query, c.Forge, a, s.Now().Sub(start)) })
}

func (s *server) who(ctx context.Context, q question, c core.Caller) (any, error) {
	start := s.Now()
	found, err := s.Hub.Who(ctx, c, q.Error, q.Limit)
	return answered(found, err, func(m *core.Met) any { return whoMet(c.Forge, m, s.Now().Sub(start)) })
}

func (s *server) memory(ctx context.Context, q question, c core.Caller) (any, error) {
	f, err := s.Hub.Memory(ctx, c, q.name)
	if err == nil && f == nil {
		err = errNone
	}
	return answered(f, err, func(f *core.Found) any { return shown{hit{found: f, text: true}, c.Forge, q.name} })
}

func (s *server) brief(ctx context.Context, q question, c core.Caller) (any, error) {
	found, err := s.Hub.Brief(ctx, c, q.Names)
	return answered(found, err, func(f *core.Shelf) any { return shelved(c.Forge, q.Names, f) })
}

func (s *server) stats(ctx context.Context, _ question, c core.Caller) (any, error) {
	found, err := s.Hub.Stats(ctx, c)
	return answered(found, err, func(f *core.Stats) any { return counted(c.Forge, f) })
}

func (s *server) contradictions(ctx context.Context, _ question, c core.Caller) (any, error) {
	start := s.Now()
	found, err := s.Hub.Opposed(ctx, c, judged)
	return answered(found, err, func(f *core.Opposed) any { return contradicting(c.Forge, f, s.Now().Sub(start)) })
}

// judged are the contradictions among memories, as every command judges them.
func judged(list []*memory.Memory) (out []core.Pair) {
	for _, p := range workspace.Contradicting(list) {
		out = append(out, core.Pair{Newer: p.Newer.ID, Older: p.Older.ID, Kind: string(p.Kind), About: p.What})
	}
	return out
}

// Errors that are no other package's.
var (
	errTooOften = errors.New("too many requests: ten a second are answered")
	errKey      = errors.New("the request has unknown keys")
	errBody     = errors.New("the request is not the JSON of a question")
	errNone     = errors.New("there is no such memory, or none that you may read")
)

// codeOf is the status of an answer that failed in a way that its caller is told of; 500 for any other, and 200
// for none.
func codeOf(err error) int {
	if err == nil {
		return http.StatusOK
	}
	for _, known := range []struct {
		err  error
		code int
	}{
		{core.ErrDenied, http.StatusUnauthorized},
		{core.ErrUnavailable, http.StatusServiceUnavailable},
		{core.ErrQuestion, http.StatusBadRequest},
		{errBody, http.StatusBadRequest},
		{errKey, http.StatusBadRequest},
		{errNone, http.StatusNotFound},
		{errTooOften, http.StatusTooManyRequests},
	} {
		if errors.Is(err, known.err) {
			return known.code
		}
	}
	return http.StatusInternalServerError
}

// fail answers with an error, and returns its status. One that is not known is of the hub: the caller learns nothing
// else, and the operator all of it.
func (s *server) fail(w http.ResponseWriter, err error) int {
	code, text := codeOf(err), err.Error()
	switch code {
	case http.StatusInternalServerError:
		s.Log.Error("a request is not answered", "error", err)
		text = "the hub has a problem: its operator finds it in the log"
	case http.StatusTooManyRequests:
		w.Header().Set("Retry-After", "1")
	}
	say(w, code, text)
	return code
}

func say(w http.ResponseWriter, code int, text string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	_ = answer.Write(w, map[string]string{"error": text})
}
