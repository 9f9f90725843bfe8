package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
)

// note is a comment at the stand-in for a host, with its author as GitHub and as
// GitLab name one.
type note struct {
	ID     int            `json:"id"`
	Body   string         `json:"body"`
	User   map[string]any `json:"user"`
	Author map[string]any `json:"author"`
}

// standIn answers as much of the APIs of GitHub and GitLab as ci/review asks for.
type standIn struct {
	mu      sync.Mutex
	notes   []note
	refuses bool // to write, as to the token of a fork
	writes  []string
}

// cmdHost starts a stand-in at the address in a variable: `host VAR others` has 120
// comments of others, one of which begins with our marker, and `host VAR refusing` takes
// none. GET /state answers with all comments and what was written.
func cmdHost(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 2, "host VAR others|refusing")
	h := &standIn{refuses: args[1] == "refusing"}
	for i := range 120 {
		body := fmt.Sprintf("comment %d", i)
		if i == 3 {
			body = "<!-- cortex:diff -->\nnot of cortex"
		}
		h.add(body, "mallory", 13)
	}
	server := httptest.NewServer(h)
	ts.Defer(server.Close)
	ts.Setenv(args[0], server.URL)
}

func (h *standIn) add(body, login string, author int) {
	h.notes = append(h.notes, note{len(h.notes) + 1000, body, map[string]any{"login": login}, map[string]any{"id": author}})
}

func (h *standIn) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h.mu.Lock()
	defer h.mu.Unlock()
	parts := strings.Split(strings.Trim(r.URL.Path, "/"), "/")
	last := parts[len(parts)-1]
	switch {
	case r.URL.Path == "/state":
		answerJSON(w, map[string]any{"notes": h.notes, "writes": h.writes})
	case r.Header.Get("Authorization") != "Bearer letmein" && r.Header.Get("PRIVATE-TOKEN") != "letmein":
		w.WriteHeader(http.StatusUnauthorized)
	case r.URL.Path == "/user":
		answerJSON(w, map[string]any{"id": 7})
	case r.Method == http.MethodGet:
		page, _ := strconv.Atoi(r.URL.Query().Get("page"))
		from := min(max(page-1, 0)*100, len(h.notes))
		answerJSON(w, h.notes[from:min(from+100, len(h.notes))])
	case h.refuses:
		w.WriteHeader(http.StatusForbidden)
	default:
		h.write(w, r, last)
	}
}

// write takes a new comment, or a new text for one whose number ends the path.
func (h *standIn) write(w http.ResponseWriter, r *http.Request, last string) {
	var sent struct{ Body string }
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	h.writes = append(h.writes, r.Method+" "+r.URL.Path)
	if id, err := strconv.Atoi(last); err == nil && r.Method != http.MethodPost {
		for i := range h.notes {
			if h.notes[i].ID == id {
				h.notes[i].Body = sent.Body
			}
		}
	} else {
		h.add(sent.Body, "github-actions[bot]", 7)
	}
	answerJSON(w, map[string]any{})
}

func answerJSON(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(v)
}
