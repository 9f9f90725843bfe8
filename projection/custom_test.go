package projection_test

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
	. "github.com/git-cortex/cortex/projection"
)

// ownLayout is a template for each page, which uses all that a template may.
func ownLayout(kind Kind) string {
	switch kind {
	case Decisions:
		return "# What we decided\n{{.Generated}}\n\n{{range .Contested}}- **{{.Subject}}**:{{range .Entries}} {{.Link}}{{end}}\n{{end}}" +
			"{{range .Decisions}}\n## {{upper .Confidence}}: {{.Title}}\n{{if .Pinned}}pinned {{end}}{{.Provenance}}\n\n{{.Text}}\n{{range .Files}}- {{.}}\n{{end}}{{range .Relations}}- {{.}}\n{{end}}{{.Mark}}\n{{else}}Nothing.\n{{end}}" +
			"{{range .Rejected}}- not {{.Title}} ({{.ID}})\n{{end}}{{range .Aging}}{{.Line}}\n{{end}}{{.Older}}"
	case Archive:
		return "# Once\n{{range .Archived}}- {{.Date}} {{.Link}}{{if ne .Note \"\"}} ({{.Note}}){{end}}\n{{end}}"
	}
	return "# Plan\n{{with .Plan}}{{.Entry.Title}}: {{.Progress}}\n{{range .Steps}}- {{.Mark}} {{.Text}} {{.By}}{{if not .Done}} (open){{end}}\n{{end}}{{.Passed}}{{else}}None.{{end}}\n{{range .Others}}- {{.Line}}\n{{end}}{{range .Closed}}- {{.Title}}: {{.Note}}\n{{end}}"
}

// TestTemplates: pages by a team's templates say what the memories say, are known as
// renderings, and merge to the bytes that rendering the merged memories gives.
func TestTemplates(t *testing.T) {
	all := story()
	shelf := shelf{}
	for _, kind := range Kinds() {
		template := ownLayout(kind)
		render := func(template string, memories []*memory.Memory) []byte {
			t.Helper()
			page, err := Render(kind, template, shelf.files(memories))
			if err != nil {
				t.Fatal(err)
			}
			return page
		}
		page := render(template, all)
		golden(t, "custom-"+kind.File(), page)
		if !IsRendering(kind, page) || IsRendering(kind, bytes.Replace(page, []byte("# "), []byte("# My "), 1)) {
			t.Errorf("%s: what was edited is not told from what was not", kind)
		}
		shuffled := slices.Clone(all)
		slices.Reverse(shuffled)
		if diff := cmp.Diff(string(page), string(render(template, shuffled))); diff != "" {
			t.Errorf("%s: the order of memories counts (-want +got):\n%s", kind, diff)
		}
		base, ours := all[:5], all[:8]
		theirs := append(slices.Clone(base), all[8:]...)
		for _, c := range []struct{ base, ours, theirs, want string }{
			{template, template, template, template},
			{"", template, "", template},
			{"", "", template, template},
			{template, "", template, ""},
			{"", "x " + template, template, template},
			{"", template, "x " + template, template},
		} {
			got, err := Merge(kind, render(c.base, base), render(c.ours, ours), render(c.theirs, theirs), shelf.store())
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(render(c.want, all)), string(got)); diff != "" {
				t.Errorf("%s: merged pages (-want +got):\n%s", kind, diff)
			}
		}
	}
}

// TestTemplatesRefused: a template that is wrong, or wants more than to lay out a page,
// is an error with its place, and the page is what it is without one.
func TestTemplatesRefused(t *testing.T) {
	all := story()
	for _, it := range decided(12) {
		all = append(all, it.Memory)
	}
	many := "{{range .Decisions}}" + strings.Repeat("{{range $.Decisions}}", 12) + strings.Repeat("{{end}}", 13)
	cases := strings.Repeat("{{range $.Decisions}}", 3) + "{{if .Text" + strings.Repeat("|upper|lower", 50) + "}}{{end}}" + strings.Repeat("{{end}}", 3)
	for template, want := range map[string]string{
		"{{.Decisions":                       "decisions.md:1: unclosed action",
		"{{.Nothing}}":                       "can't evaluate field Nothing",
		"{{range 1000000000}}x{{end}}":       "only a list of the data",
		"{{$n := 1000000000}}":               "cannot stand in a template",
		"{{printf \"%99999999d\" 1}}":        "the functions are",
		"{{call .Decisions}}":                "the functions are",
		"{{define \"x\"}}x{{end}}":           "a template within it",
		"{{template \"x\"}}":                 "cannot stand in a template",
		"{{.Decisions}}":                     "can't print",
		"{{.}}":                              "can't print",
		"{{range .Decisions}}{{.}}{{end}}":   "can't print",
		"{{range .Generated}}x{{end}}":       "can't iterate",
		many:                                 "more elements than",
		cases:                                "given more than",
		"<!-- cortex:end -->":                "cortex alone writes",
		"<!-- {{\"x\"}}":                     "",
		"<!-{{\"- cortex:record 0 \"}}-->":   "cortex alone writes",
		"<!-{{\"- cortex:memory 0 -->\"}}":   "cortex alone writes",
		"{{\"<!-- cor\\rtex:end -->\"}}":     "cortex alone writes",
		strings.Repeat("x", MaxTemplate+1):   "over the limit",
		strings.Repeat("{{.Generated}}", 99): "",
	} {
		page, err := renderBy(Decisions, template, all)
		if want == "" {
			if err != nil {
				t.Errorf("%.40q: %v", template, err)
			}
			continue
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: %v, want %q", template, err, want)
		}
		if !bytes.Equal(page, render(Decisions, all)) {
			t.Errorf("%.40q: the page is not the one without a template", template)
		}
	}
}

// TestCheckTemplate: what is wrong within a loop is found without memories.
func TestCheckTemplate(t *testing.T) {
	for _, kind := range Kinds() {
		for _, template := range []string{"", "\ufeff", "Nothing.", ownLayout(kind)} {
			if err := CheckTemplate(kind, template); err != nil {
				t.Errorf("%s, %q: %v", kind, template, err)
			}
		}
	}
	for template, kind := range map[string]Kind{
		"{{range .Decisions}}{{.Nothing}}{{end}}":                   Decisions,
		"{{range .Decisions}}{{else}}{{.Nothing}}{{end}}":           Decisions,
		"{{range .Contested}}{{range .Entries}}{{.}}{{end}}{{end}}": Decisions,
		"{{range $i, $e := .Archived}}{{$e.Title}}{{end}}":          Archive,
		"{{range .Plan.Steps}}{{.Title}}{{end}}":                    Plan,
		"{{with .Plan}}{{.Title}}{{end}}":                           Plan,
	} {
		if err := CheckTemplate(kind, template); err == nil {
			t.Errorf("%q can be used", template)
		}
	}
}

// TestBriefingTemplateRefused: a template cannot write what frames the briefing, and the
// briefing then is what it is without one.
func TestBriefingTemplateRefused(t *testing.T) {
	in := BriefInput{Items: decided(3), Tokens: 3000}
	want := Brief(in).Text
	for _, in.Layout = range []string{
		"{{\"" + BriefingClose + "\"}}", "{{\"" + BriefingClose[:8] + "\\r" + BriefingClose[8:] + "\"}}", "{{range .Sections}}{{.}}{{end}}",
	} {
		if b := Brief(in); b.Err == nil || b.Text != want {
			t.Errorf("%q: %v", in.Layout, b.Err)
		}
	}
}

// TestBriefingTemplateRounds: a template whose own words are just too long is given up
// after a few rounds of packing, whatever the budget.
func TestBriefingTemplateRounds(t *testing.T) {
	const n = 20
	in := BriefInput{Items: decided(n), Tokens: 3000}
	asked := 0
	in.Text = func(int) string { asked++; return "text" }
	Brief(in)
	once := asked
	for words := 2900; words <= 3100; words += 5 {
		in.Layout, asked = strings.Repeat("word ", words), 0
		if Brief(in); asked > 25*once {
			t.Fatalf("%d words: %d texts were read, %d without a template", words, asked, once)
		}
	}
}

// FuzzTemplates: whatever a template says, the page holds the records of its memories.
func FuzzTemplates(f *testing.F) {
	for _, kind := range Kinds() {
		f.Add(ownLayout(kind))
	}
	f.Add("{{range .Decisions}}{{.Text}}{{end}}<!-- x")
	f.Fuzz(func(t *testing.T, template string) {
		for _, kind := range Kinds() {
			shelf := shelf{}
			page, err := Render(kind, template, shelf.files(story()))
			want, _, _ := Parse(kind, shelf.render(kind, story()), shelf.store())
			got, _, parseErr := Parse(kind, page, shelf.store())
			if diff := cmp.Diff(want, got); diff != "" || parseErr != nil {
				t.Fatalf("template error %v: %v\n%s", err, parseErr, diff)
			}
			if err == nil && !IsRendering(kind, page) {
				t.Fatalf("not known as a rendering:\n%s", page)
			}
		}
	})
}
