package ui

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
	"github.com/git-cortex/cortex/workspace/review"
)

// errNoRepository is a path that begins with no number of a repository.
var errNoRepository = errors.New("no repository of that number is shown here")

// mistake is an error in what the person asked for.
func mistake(err error, hint string) error { return &usage{err, hint} }

type usage struct {
	error
	hint string
}

func (u *usage) Unwrap() error { return u.error }

// page holds the data of one page, and how it is shown.
type page struct {
	Name  string // of the template
	Title string
	Data  any
	// JSON writes what the command of the same name prints with --json; nil for a
	// page that no command stands for. ?json asks for it.
	JSON func(io.Writer) error
}

// asJSON returns what [page.JSON] is for an answer that is one value.
func asJSON(v any) func(io.Writer) error {
	return func(w io.Writer) error { return answer.Write(w, v) }
}

// frame holds what the layout puts around a page.
type frame struct {
	*page
	Repo    int
	Name    string   // of the repository
	Branch  string   // that is checked out
	Repos   []string // names of all; one where there is nothing to switch to
	Form    string   // what every form carries
	Version string
	Hub     bool   // there is a page of other repositories
	Query   string // of the search box
	Undo    string // what undo would take back, "" for nothing
	UndoOf  int    // the number of that decision
	Told    string // what the last change came to
	Body    markup // of the page, within the layout
}

// answer makes a page, or its JSON if that is asked for.
func (v *visit) answer(p *page) (reply, error) {
	if v.req.URL.Query().Has("json") {
		if p.JSON == nil {
			return nil, mistake(errors.New("this page has no JSON"), "leave json out of the address")
		}
		var b bytes.Buffer
		if err := p.JSON(&b); err != nil {
			return nil, err
		}
		return document("application/json", b.Bytes()), nil
	}
	f := frame{
		page: p, Repo: v.repo, Name: v.name(), Branch: v.Repo.Branch, Form: v.guard.form,
		Version: v.server.host.Version,
		Hub:     v.server.host.Hub != nil, Query: v.req.URL.Query().Get("q"), Told: v.server.undo.take(v.Repo.Root),
	}
	f.Undo, f.UndoOf = v.server.undo.last(v.Repo.Root)
	f.Repos = lists.Map(v.server.host.Dirs, filepath.Base)
	body, err := rendered(p.Name, f)
	if err != nil {
		return nil, err
	}
	f.Body = markup(body)
	if body, err = rendered("layout", f); err != nil {
		return nil, err
	}
	return document("text/html", body), nil
}

// document answers with data of a type.
func document(kind string, data []byte) reply {
	return func(w http.ResponseWriter) {
		w.Header().Set("Content-Type", kind+"; charset=utf-8")
		_, _ = w.Write(data) // a browser that is gone needs no answer
	}
}

// Path is the address of a page of the repository.
func (f frame) Path(rest string) string { return fmt.Sprintf("/r/%d/%s", f.Repo, rest) }

// fail answers with an error.
func (s *server) fail(w http.ResponseWriter, r *http.Request, err error) {
	fault := answer.Explain(err)
	code := http.StatusInternalServerError
	var wrong *query.FilterError
	var ours *usage
	switch {
	case errors.Is(err, errNoRepository), errors.Is(err, workspace.ErrNotFound), errors.Is(err, explore.ErrNoSession):
		code = http.StatusNotFound
	case errors.Is(err, review.ErrMovedOn):
		code = http.StatusConflict
	case errors.As(err, &ours):
		code, fault.Kind, fault.Hint = http.StatusBadRequest, answer.KindUsage, ours.hint
	case errors.As(err, &wrong), fault.Kind == answer.KindUsage:
		code = http.StatusBadRequest
	}
	if r.URL.Query().Has("json") {
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(code)
		_ = answer.Write(w, fault)
		return
	}
	refuse(w, code, sentence(fault.Error), fault.Hint)
}

// sentence is the text of an error as one.
func sentence(text string) string {
	if text == "" {
		return ""
	}
	first, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[n:] + "."
}

// refuse answers with a page of its own, which needs no repository.
func refuse(w http.ResponseWriter, code int, text, hint string) {
	body, err := rendered("refused", struct{ Text, Hint string }{text, hint})
	if err != nil {
		body = []byte(text)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(code)
	_, _ = w.Write(body)
}
