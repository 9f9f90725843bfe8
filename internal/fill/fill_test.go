package fill

import (
	"bytes"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"text/template"
)

type inner struct{ Name, Empty string }

type outer struct {
	inner
	Text    string
	Number  int
	Yes, No bool
	List    []inner
	None    []inner
	One     *inner
	Nothing *inner
	Any     any
	Nil     any
	Seq     iter.Seq[inner]
	Group   []string
}

func data() outer {
	list := []inner{{Name: "a"}, {Name: "b"}, {Name: "c"}}
	return outer{
		inner: inner{Name: "outer"}, Text: "text", Number: 3, Yes: true, List: list, One: &list[1], Any: list, Seq: slices.Values(list),
		Group: []string{"x", "x", "y"},
	}
}

func functions() Functions {
	return Functions{
		"upper": strings.ToUpper,
		"same":  func(v any) any { return v },
		"pair":  func(a, b string) string { return a + "+" + b },
		"fails": func(string) (string, error) { return "", errors.New("it failed") },
		"of":    func(i *inner) string { return i.Name },
	}
}

// both writes a template with this package and with the one whose syntax it has.
func both(t *testing.T, text string) (ours, theirs string, err, theirErr error) {
	t.Helper()
	var mine bytes.Buffer
	one, err := Parse("x", text, functions())
	if err == nil {
		one.Print = func(v any) (string, error) { return fmt.Sprint(v), nil }
		err = one.Fill(&mine, "x", data())
	}
	var out bytes.Buffer
	other, theirErr := template.New("x").Option("missingkey=error").Funcs(template.FuncMap(functions())).Parse(text)
	if theirErr == nil {
		theirErr = other.Execute(&out, data())
	}
	return mine.String(), out.String(), err, theirErr
}

func templates() []string {
	return []string{
		"plain", "{{.Text}} {{.Name}} {{.Number}} {{.Yes}}", "{{- .Text -}}  x", "{{/* note */}}x", "{{.One.Name}}{{$.Text}}",
		"{{if .Yes}}a{{else}}b{{end}}{{if .No}}a{{else if .Text}}c{{end}}{{if .Nothing}}d{{end}}{{if .Nil}}e{{end}}{{if .None}}f{{end}}{{if .Number}}g{{end}}",
		"{{with .One}}{{.Name}}{{else}}none{{end}}{{with .Nothing}}x{{else}}{{.Text}}{{end}}{{with $x := .Text}}{{$x}}{{.}}{{end}}",
		"{{range .List}}{{.Name}}{{else}}none{{end}}{{range .None}}x{{else}}none{{end}}{{range .Nil}}x{{else}}nil{{end}}{{range .Any}}{{.Name}}{{end}}",
		"{{range $i, $e := .List}}{{if $i}}, {{end}}{{$i}}{{$e.Name}}{{$.Text}}{{end}}{{range $e := .List}}{{$e.Name}}{{end}}",
		"{{range .Seq}}{{.Name}}{{end}}{{range $e := .Seq}}{{$e.Name}}{{end}}",
		"{{$last := \"\"}}{{range .Group}}{{if ne . $last}}{{$last = .}}[{{.}}]{{end}}-{{end}}{{$last}}",
		"{{$x := 1}}{{if .Yes}}{{$x := 2}}{{$x}}{{end}}{{$x}}",
		"{{define \"row\"}}<{{.Name}}{{$.Name}}>{{end}}{{range .List}}{{template \"row\" .}}{{end}}{{template \"row\" .One}}",
		"{{upper .Text}}{{.Text | upper}}{{pair .Text (upper .Name)}}{{.Name | pair \"p\"}}{{(same .One).Name}}{{of .One}}",
		"{{and .Yes .Text}}{{and .No .Text}}{{or .No .Text}}{{or .Text .Nothing.Name}}{{not .Text}}{{.Text | and .Yes}}",
		"{{eq .Text \"text\"}}{{eq .Name \"a\" \"outer\"}}{{ne .Number 3}}{{eq .Yes true}}{{eq .Number 2 3}}",
		// These are mistakes.
		"{{.Missing}}", "{{.Text.Name}}", "{{.Nothing.Name}}", "{{.Nil.Name}}", "{{.inner}}", "{{range .Text}}x{{end}}", "{{upper .Number}}", "{{upper}}",
		"{{upper .Nil}}", "{{fails .Text}}", "{{.Text .Name}}", "{{template \"none\"}}", "{{eq .Text}}", "{{eq .Text .Number}}", "{{not}}", "{{ne .Text}}",
		"{{range $i, $e := .Seq}}x{{end}}", "{{end}}", "{{if}}{{end}}", "{{unknown .}}", "{{$x}}", "{{range $i,$i}}{{end}}", "{{and}}", "{{.Text | .Name}}", "{{define \"a\"}}{{end}}",
	}
}

// TestLikeTextTemplate: what is written is what text/template writes, and what is a mistake
// there is one here.
func TestLikeTextTemplate(t *testing.T) {
	for _, text := range templates() {
		ours, theirs, err, theirErr := both(t, text)
		if (err == nil) != (theirErr == nil) {
			t.Errorf("%s: %v, text/template says %v", text, err, theirErr)
		} else if err == nil && ours != theirs {
			t.Errorf("%s: %q, text/template writes %q", text, ours, theirs)
		}
	}
}

// TestUnknownHere: what text/template knows besides is a mistake that names the place.
func TestUnknownHere(t *testing.T) {
	for text, want := range map[string]string{
		"a\n{{len .List}}":                          `x:2: function "len" not defined`,
		"a\n{{.Missing}}":                           "x:2:2: at <.Missing>: can't evaluate field Missing",
		"{{1.5}}":                                   "only whole numbers",
		"{{range .List}}{{break}}{{end}}":           "this cannot stand in a template",
		"{{$e := .One}}{{range $e = .List}}{{end}}": "declares its variables with :=",
	} {
		if _, _, err, _ := both(t, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// FuzzFill holds that no template ends the program, and that what two write is the same.
func FuzzFill(f *testing.F) {
	for _, text := range templates() {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.Contains(text, "template") || strings.Contains(text, "block") || strings.Contains(text, "range") && len(text) > 200 {
			return // one that calls itself has no end, nor has a loop in loops
		}
		ours, theirs, err, theirErr := both(t, text)
		printed := strings.ContainsAny(ours+theirs, "&<{") || strings.Contains(ours, "0x") // how nil, pointers and structs are printed
		if err == nil && theirErr == nil && ours != theirs && !printed {
			t.Errorf("%q: %q, text/template writes %q", text, ours, theirs)
		}
	})
}
