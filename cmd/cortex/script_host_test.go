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
	ID      int            `json:"id"`
	Body    string         `json:"body"`
	User    map[string]any `json:"user"`
	Author  map[string]any `json:"author"`
	May     string         `json:"author_association"`
	Issue   string         `json:"issue_url"`
	Created string         `json:"created_at"`
}

// standIn answers as much of the APIs of GitHub and GitLab as ci/review asks for.
type standIn struct {
	mu      sync.Mutex
	notes   []note
	refuses bool // to write, as to the token of a fork
	writes  []string
	threads []any // comments of a review, as GitHub lists them
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
	may := map[string]string{"tobi": "MEMBER"}[login]
	h.notes = append(h.notes, note{
		len(h.notes) + 1000, body,
		map[string]any{"login": login},
		map[string]any{"id": author, "username": login},
		may, "https://example.org/issues/7", "2026-03-01T10:00:00Z",
	})
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
	case r.Method == http.MethodGet && last == "7": // the request itself, of either host
		answerJSON(w, map[string]any{"head": map[string]any{}, "iid": 7, "web_url": "https://example.org/7"})
	case r.Method == http.MethodGet && parts[len(parts)-2] == "members":
		answerJSON(w, []map[string]any{{"username": "tobi", "access_level": 30}})
	case r.Method == http.MethodGet && last == "discussions":
		answerJSON(w, h.discussions())
	case r.Method == http.MethodGet && parts[len(parts)-3] == "pulls":
		answerJSON(w, h.threads)
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

// discussions are the latest comments as GitLab groups them.
func (h *standIn) discussions() (all []map[string]any) {
	for _, n := range h.notes[max(0, len(h.notes)-50):] {
		all = append(all, map[string]any{"id": fmt.Sprint(n.ID), "notes": []note{n}})
	}
	return all
}

// write takes a new comment, or a new text for one whose number ends the path.
func (h *standIn) write(w http.ResponseWriter, r *http.Request, last string) {
	var sent struct {
		Body, Login string
		Threads     []any // of a review
	}
	if err := json.NewDecoder(r.Body).Decode(&sent); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	if last == "said" { // by a reviewer
		h.threads = append(h.threads, sent.Threads...)
		h.add(sent.Body, sent.Login, 20)
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
