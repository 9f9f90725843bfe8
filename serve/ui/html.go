package ui

import (
	"bytes"
	"embed"
	"fmt"
	"html"
	"io/fs"
	"maps"
	"net/url"
	"path"
	"reflect"
	"strings"
	"text/template/parse"
	"time"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/internal/fill"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/changes"
)

// markup is HTML that was made here, with all texts in it escaped. Templates write it as
// it is, and escape everything else.
type markup string

//go:embed templates/*.html
var templateFiles embed.FS

// templates reads the templates at first use.
var templates = lazy.Value(func() *fill.Template {
	t := &fill.Template{Trees: map[string]*parse.Tree{}, Functions: functions(), Print: printed}
	files, err := fs.Glob(templateFiles, "templates/*.html")
	for _, name := range files {
		var text []byte
		var one *fill.Template
		if text, err = templateFiles.ReadFile(name); err != nil {
			break
		}
		if one, err = fill.Parse(path.Base(name), string(text), t.Functions); err != nil {
			break
		}
		maps.Copy(t.Trees, one.Trees)
	}
	if err != nil {
		panic("ui: " + err.Error()) // they are part of the program
	}
	return t
})

// printed returns the HTML that a template writes for a value. A test holds where values
// may stand in a template, and that those in the query of an address are escaped for it.
func printed(value any) (string, error) {
	switch v := value.(type) {
	case nil:
		return "", nil
	case markup:
		return string(v), nil
	case string:
		return escaped(v), nil
	}
	return escaped(fmt.Sprint(value)), nil
}

// escaped returns a text as HTML, between tags or in a quoted attribute.
func escaped(text string) string {
	return html.EscapeString(strings.ReplaceAll(text, "\x00", "\uFFFD"))
}

// functions returns the functions of the templates.
func functions() fill.Functions {
	return fill.Functions{
		"markdown": markdown,
		"marked":   marked,
		"query":    func(v any) string { return url.QueryEscape(fmt.Sprint(v)) }, // behind the ? of an address
		"path":     func(f frame, rest string) string { return f.Path(rest) },
		"row":      func(f frame, e workspace.Entry) row { return row{f.Path("memory/" + string(e.Memory.ID)), e} },
		"line":     func(f frame, p priced) line { return line{p, f} },
		"clock":    func(t time.Time) string { return t.UTC().Format("15:04") },
		"told":     newTold,
		"tab": func(f frame, name, path,
			label string,
		) tab {
			return tab{f.Path(path), label, f.page.Name == name}
		},
		"quote":     func(m *memory.Memory) markup { return titled(m.Quote(m.Title)) },
		"titled":    titled,
		"mark":      mark,
		"types":     memory.Types,
		"quoteMark": func(m *memory.Memory) string { return m.QuoteMark() },
		"gone":      func(e workspace.Entry) bool { return e.Gone() },
		"against":   func(w waiting, id memory.ID) *comparison { return w.Against(id) },
		"lacks":     func(w waiting) bool { return w.Lacks() },
		"quiet":     func(r *changes.Report) bool { return r.Quiet() },
		"hits":      func(b briefing) []recall.Hit { return b.Hits() },
		"learned":   func(layer any) string { return memory.Source{Layer: fmt.Sprint(layer)}.LayerText() },
		"words": func(name any) string {
			return strings.NewReplacer("in_", "same ", "_",
				" ").Replace(fmt.Sprint(name))
		},
		"replaceable": func(w waiting) bool { return w.Replaceable() },
		"acceptable":  func(w waiting) bool { return w.Acceptable() },
		"noteworthy":  func(w waiting) bool { return w.Noteworthy() },
		"personal":    func(w waiting) bool { return w.Personal() },
		"plural":      plural,
		"date":        func(t time.Time) string { return t.UTC().Format("2006-01-02") },
		"minute":      func(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") },
		"day":         func(t string) string { return t[:min(len(t), len("2006-01-02"))] },
		"percent":     func(f float64) string { return fmt.Sprintf("%.0f %%", 100*f) },
		"score":       func(f float64) string { return fmt.Sprintf("%.2f", f) },
		"short":       func(id memory.ID) string { return id.Short() },
		"start":       start,
		"join":        strings.Join,
		"index":       func(list any, i int) any { return reflect.ValueOf(list).Index(i).Interface() },
		"len":         func(list any) int { return reflect.ValueOf(list).Len() },
		"more":        func(n, than int) bool { return n > than },
	}
}

// marks holds the sign of each type behind its name: shapes, so that nobody needs to see a color.
const marks = "decision◆ rejected✕ architecture■ preference★ plan→ fix✓ gotcha▲ learned● pattern≡ question? " +
	"problem! progress◐ context○ code#"

// mark is the sign of a type of memories; types that are unknown here share one.
func mark(name any) string {
	_, sign, _ := strings.Cut(marks+fmt.Sprint(name)+"•", fmt.Sprint(name))
	return string([]rune(sign)[:1])
}

// titled is a line with what stands in backticks as code.
func titled(line string) markup {
	out := ""
	for {
		before, rest, _ := strings.Cut(line, "`")
		code, after, closed := strings.Cut(rest, "`")
		if !closed {
			return markup(out + escaped(line))
		}
		out += escaped(before) + "<code>" + escaped(code) + "</code>"
		line = after
	}
}

// row is a memory in a list.
type row struct {
	Path  string
	Entry workspace.Entry
}

// line is a line of a briefing on its page.
type line struct {
	Line priced
	Page frame
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
func marked(s index.Snippet) markup {
	var b strings.Builder
	at := 0
	for _, m := range s.Marks {
		if m.Start < at || m.End > len(s.Text) || m.End < m.Start {
			continue
		}
		b.WriteString(escaped(s.Text[at:m.Start]))
		b.WriteString("<mark>" + escaped(s.Text[m.Start:m.End]) + "</mark>")
		at = m.End
	}
	b.WriteString(escaped(s.Text[at:]))
	return markup(b.String())
}

// rendered fills a template. What a person would not see in a text is removed from
// all of it, see [memory.Visible].
func rendered(name string, data any) ([]byte, error) {
	var b bytes.Buffer
	if err := templates().Fill(&b, name, data); err != nil {
		return nil, fmt.Errorf("rendering the page: %w", err)
	}
	return memory.Visible(b.Bytes()), nil
}
