package ui

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"text/template/parse"
)

// TestTemplatesArePlaces holds where a template may write a value: between tags, where it is
// escaped, or in an attribute in double quotes that no browser runs. An attribute that is
// an address begins with text or with a path of ours, and behind its ? values are escaped
// for that. The lists of a condition end where they began.
func TestTemplatesArePlaces(t *testing.T) {
	trees := templates().Trees
	if len(trees) < 12 {
		t.Fatalf("only %d templates", len(trees))
	}
	for _, name := range slices.Sorted(maps.Keys(trees)) {
		r := &placeReader{t: t, tree: trees[name]}
		if end := r.read(place{}, trees[name].Root); end != (place{}) {
			t.Errorf("%s ends within %+v", name, end)
		}
	}
}

// TestPlaces: what may not be written is found.
func TestPlaces(t *testing.T) {
	for text, bad := range map[string]bool{
		`<p class="{{.A}}">{{.B}}</p>`:                       false,
		`<a href="{{path . "x"}}?q={{query .A}}">`:           false,
		`<a href="{{path . "x"}}"{{if .A}} id="b"{{end}}>`:   false,
		`<a href="{{.A}}">`:                                  true,
		`<a href="/x?q={{.A}}">`:                             true,
		`<p id={{.A}}>`:                                      true,
		`<p {{.A}}>`:                                         true,
		`<p onclick="{{.A}}">`:                               true,
		`<p style="{{.A}}">`:                                 true,
		`<p title='{{.A}}'>`:                                 true,
		`<script>{{.A}}</script>`:                            true,
		`<!-- {{.A}} -->`:                                    true,
		`<p{{if .A}}>{{end}}`:                                true,
		`{{range .A}}<p class="{{end}}`:                      true,
		`<p title="{{if .A}}x{{else}}">{{end}}`:              true,
		`<style>a{}</style><b>{{.A}}</b><i data-x="{{.A}}">`: false,
	} {
		tree, err := parse.Parse("x", text, "", "", functions())
		if err != nil {
			t.Fatal(err)
		}
		r := &placeReader{tree: tree["x"]}
		r.read(place{}, tree["x"].Root)
		if (len(r.wrong) > 0) != bad {
			t.Errorf("%s: %q", text, r.wrong)
		}
	}
}

// place says where in HTML a template is.
type place struct {
	in    string // "" is between tags; tag, ' and " are attributes, raw is the text of a script or a style, comment
	tag   string
	name  string // of the attribute
	value string // of the attribute, so far; * for what was written into it
}

type placeReader struct {
	t     *testing.T // nil to collect
	tree  *parse.Tree
	wrong []string
}

func (r *placeReader) complain(n parse.Node, text string) {
	where, context := r.tree.ErrorContext(n)
	r.wrong = append(r.wrong, text)
	if r.t != nil {
		r.t.Errorf("%s: %s: %s", where, context, text)
	}
}

// read returns where a list ends that begins at a place.
func (r *placeReader) read(at place, list *parse.ListNode) place {
	if list == nil {
		return at
	}
	for _, n := range list.Nodes {
		switch n := n.(type) {
		case *parse.TextNode:
			at = at.after(string(n.Text))
		case *parse.ActionNode:
			if len(n.Pipe.Decl) == 0 {
				r.check(at, n)
				at.value += "*"
			}
		case *parse.TemplateNode:
			if at.in != "" {
				r.complain(n, "a template begins between tags")
			}
		case *parse.IfNode:
			at = r.both(at, &n.BranchNode)
		case *parse.WithNode:
			at = r.both(at, &n.BranchNode)
		case *parse.RangeNode:
			at = r.both(at, &n.BranchNode)
		default:
			r.complain(n, "unknown here")
		}
	}
	if at.in == "" || at.in == "tag" {
		at.value, at.name = "", ""
	}
	return at
}

// both returns where both lists of a branch end.
func (r *placeReader) both(at place, n *parse.BranchNode) place {
	one, other := r.read(at, n.List), r.read(at, n.ElseList)
	if one.in != at.in || other.in != at.in || one.tag != at.tag || other.tag != at.tag || one.name != at.name || other.name != at.name {
		r.complain(n, "it does not end where it began")
	}
	if len(other.value) > len(one.value) {
		return other
	}
	return one
}

// check complains of a value that may not be written at a place.
func (r *placeReader) check(at place, n *parse.ActionNode) {
	address := slices.Contains([]string{"href", "src", "action", "formaction", "data-undo", "data-events"}, at.name)
	first := n.Pipe.Cmds[0].Args[0].String()
	switch {
	case at.in == "raw" && (first == ".Style" || first == ".Script"), at.in == "":
	case at.in != `"`:
		r.complain(n, "a value stands between tags or in double quotes")
	case strings.HasPrefix(at.name, "on") || at.name == "style" || at.name == "srcdoc":
		r.complain(n, "a value stands in no attribute that a browser runs")
	case address && strings.Contains(at.value, "?") && first != "query":
		r.complain(n, "behind the ? of an address: query")
	case address && at.value == "" && first != "path" && first != ".Path":
		r.complain(n, "an address begins with a path of ours")
	}
}

// after returns the place behind a text.
func (p place) after(text string) place {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch p.in {
		case "":
			if strings.HasPrefix(text[i:], "<!--") {
				p.in = "comment"
			} else if c == '<' && strings.HasPrefix(strings.ToLower(text[i:]), "<!doctype html>") {
				i += len("<!doctype html>") - 1
			} else if c == '<' {
				end := strings.IndexFunc(text[i+1:], func(r rune) bool { return r == ' ' || r == '>' || r == '\n' })
				if end < 0 {
					end = len(text) - i - 1
				}
				p = place{in: "tag", tag: text[i+1 : i+1+end]}
				i += end
			}
		case "tag":
			switch {
			case c == '>' && (p.tag == "script" || p.tag == "style"):
				p = place{in: "raw", tag: p.tag}
			case c == '>':
				p = place{}
			case c == '"' || c == '\'':
				p.in, p.value = string(c), ""
			case c == ' ' || c == '\n':
				p.name = ""
			case c != '=':
				p.name += string(c)
			}
		case "raw":
			if strings.HasPrefix(text[i:], "</"+p.tag) {
				p = place{in: "tag", tag: "/" + p.tag}
				i += len(p.tag)
			}
		case "comment":
			if strings.HasPrefix(text[i:], "-->") {
				p = place{}
				i += 2
			}
		default:
			if string(c) == p.in {
				p = place{in: "tag", tag: p.tag}
			} else {
				p.value += string(c)
			}
		}
	}
	if p.in == "" || p.in == "raw" || p.in == "comment" {
		p.value = ""
	}
	return p
}
