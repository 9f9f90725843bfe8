package ui

import (
	"bytes"
	"embed"
	"errors"
	"fmt"
	"html/template"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/query"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/memory"
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

//go:embed templates/*.html
var templateFiles embed.FS

// templates reads the templates at first use.
var templates = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("").Funcs(functions()).ParseFS(templateFiles, "templates/*.html"))
})

// functions returns the functions of the templates.
func functions() template.FuncMap {
	return template.FuncMap{
		"markdown": markdown,
		"gone":     func(e workspace.Entry) bool { return e.Gone() },
		"plural":   plural,
		"marked":   marked,
		"date":     func(t time.Time) string { return t.UTC().Format("2006-01-02") },
		"minute":   func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") },
		"percent":  func(f float64) string { return fmt.Sprintf("%.0f %%", 100*f) },
		"score":    func(f float64) string { return fmt.Sprintf("%.2f", f) },
		"short":    func(id memory.ID) string { return id.Short() },
		"start":    start,
		"join":     strings.Join,
		"row":      func(f frame, e workspace.Entry) row { return row{f.Path("memory/" + string(e.Memory.ID)), e} },
		"tab":      func(f frame, name, path, label string) tab { return tab{f.Path(path), label, f.page.Name == name} },
	}
}

// row is a memory in a list.
type row struct {
	Path  string
	Entry workspace.Entry
}

// tab is a page in the navigation.
type tab struct {
	Path, Label string
	Here        bool
}

// plural is a number with the word for it.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// start is the beginning of a long id.
func start(id string) string { return id[:min(len(id), 10)] }

// marked is a snippet with its matched words in <mark>.
func marked(s index.Snippet) template.HTML {
	var b strings.Builder
	at := 0
	for _, m := range s.Marks {
		if m.Start < at || m.End > len(s.Text) || m.End < m.Start {
			continue
		}
		b.WriteString(template.HTMLEscapeString(s.Text[at:m.Start]))
		b.WriteString("<mark>" + template.HTMLEscapeString(s.Text[m.Start:m.End]) + "</mark>")
		at = m.End
	}
	b.WriteString(template.HTMLEscapeString(s.Text[at:]))
	return template.HTML(b.String()) //nolint:gosec // every part of it was escaped
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
	Query   string // of the search box
	Undo    string // what undo would take back, "" for nothing
	UndoOf  int    // the number of that decision
	Told    string // what the last change came to
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
		page: p, Repo: v.repo, Name: v.name(), Branch: v.Repo.Branch, Form: v.guard.form, Version: v.server.host.Version,
		Query: v.req.URL.Query().Get("q"), Told: v.server.undo.take(v.Repo.Root),
	}
	f.Undo, f.UndoOf = v.server.undo.last(v.Repo.Root)
	for _, dir := range v.server.host.Dirs {
		f.Repos = append(f.Repos, filepath.Base(dir))
	}
	body, err := rendered("layout", f)
	if err != nil {
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

// rendered fills a template. What a person would not see in a text is removed from
// all of it, see [memory.Visible].
func rendered(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := templates().ExecuteTemplate(&b, name, data); err != nil {
		return nil, fmt.Errorf("rendering the page: %w", err)
	}
	return memory.Visible(b.Bytes()), nil
}

// Body is the part of the page within the layout.
func (f frame) Body() (template.HTML, error) {
	b, err := rendered(f.page.Name, f)
	return template.HTML(b), err //nolint:gosec // made by html/template
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
