// Package mockmodel is a model that says what a script tells it to. It answers the
// interfaces of Anthropic (Messages), OpenAI (Responses, Chat Completions) and Google
// (generateContent) as far as coding agents use them, streamed or whole, and keeps
// every request. Serve a [Server] on loopback, and name a script in a prompt: @@name@@.
package mockmodel

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
)

// Request is a request as it was recorded.
type Request struct {
	Path   string          `json:"path"`
	Script string          `json:"script"` // that the answer is from; "" for one without a script
	Step   int             `json:"step"`   // of the script, from 0
	Body   json.RawMessage `json:"body"`
}

// Server answers requests to a model. It is safe for concurrent use.
type Server struct {
	Scripts map[string]Script
	Prompts map[string]string // the script that a prompt names by its own text
	Record  io.Writer         // one JSON object a line for each request; nil for none

	mu       sync.Mutex
	requests []Request
	made     int
}

// Requests returns what was asked so far, in the order in which it came.
func (s *Server) Requests() []Request {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]Request(nil), s.requests...)
}

// record keeps a request, and writes it down.
func (s *Server) record(r Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.requests = append(s.requests, r)
	if s.Record != nil {
		_ = json.NewEncoder(s.Record).Encode(r)
	}
}

// newID returns an id that no other answer of this server has.
func (s *Server) newID(prefix string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.made++
	return fmt.Sprintf("%s%012d", prefix, s.made)
}

// ServeHTTP answers a request as the interface does that its path belongs to, and with
// 404 where it belongs to none.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := bodyOf(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	for _, in := range []modelInterface{messages(), responses(), completions(), contents()} {
		if r.Method == http.MethodPost && in.path.MatchString(r.URL.Path) {
			s.answer(w, r, body, in)
			return
		}
	}
	s.record(Request{Path: r.URL.Path, Body: body})
	switch {
	case r.Method == http.MethodHead:
	case strings.HasSuffix(r.URL.Path, "/count_tokens"):
		writeJSON(w, object{"input_tokens": tokensAsked})
	case strings.HasSuffix(r.URL.Path, ":countTokens"):
		writeJSON(w, object{"totalTokens": tokensAsked})
	case strings.HasSuffix(r.URL.Path, "/models"):
		model := object{"id": "mock", "object": "model", "type": "model"}
		writeJSON(w, object{"object": "list", "data": []object{model}, "models": []object{}})
	default:
		w.WriteHeader(http.StatusNotFound)
		writeJSON(w, object{"error": object{"type": "not_found", "message": "not here"}})
	}
}

// answer answers a request of an interface by the script that its prompt names.
func (s *Server) answer(w http.ResponseWriter, r *http.Request, body json.RawMessage, in modelInterface) {
	c, err := in.read(body)
	if err != nil {
		s.record(Request{Path: r.URL.Path, Body: body})
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	said := c.choose(s.Scripts, s.Prompts)
	said.id, said.callID = s.newID("msg_"), s.newID("call_")
	s.record(Request{Path: r.URL.Path, Script: said.script, Step: said.step, Body: body})
	whole := in.whole(c, said)
	if !c.stream && !strings.HasSuffix(r.URL.Path, ":streamGenerateContent") {
		writeJSON(w, whole)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, data := range in.stream(whole) {
		if name, ok := data["type"].(string); ok && in.named {
			fmt.Fprintf(w, "event: %s\n", name)
		}
		line, _ := json.Marshal(data)
		fmt.Fprintf(w, "data: %s\n\n", line)
	}
	if in.done {
		fmt.Fprint(w, "data: [DONE]\n\n")
	}
}

// modelInterface is one of the interfaces that models have.
type modelInterface struct {
	path   *regexp.Regexp // of its requests
	read   func(body json.RawMessage) (conversation, error)
	whole  func(c conversation, said saying) object // an answer as one object
	stream func(whole object) []object              // the same answer as events
	named  bool                                     // events have a line with their type
	done   bool                                     // a stream has a line at its end
}

// object is a JSON object.
type object = map[string]any

func writeJSON(w http.ResponseWriter, o object) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(o)
}

// bodyOf is the body of a request as JSON.
func bodyOf(r *http.Request) (json.RawMessage, error) {
	data, err := io.ReadAll(r.Body)
	if err != nil || len(bytes.TrimSpace(data)) == 0 {
		return nil, err
	}
	if r.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return nil, err
		}
		if data, err = io.ReadAll(z); err != nil {
			return nil, err
		}
	}
	if !json.Valid(data) {
		return nil, fmt.Errorf("the body is no JSON: %.80q", data)
	}
	return data, nil
}
