package imports

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/adrg/frontmatter"
	"go.yaml.in/yaml/v3"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// folder reads the Markdown files of a folder, in the order of their names; make returns
// the records of one, or why there are none.
func folder(ctx context.Context, dir fs.FS,
	make func(name, text string) ([]record, error),
) (records []record, bad []index.Problem, err error) {
	err = fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."):
			return fs.SkipDir
		case d.IsDir() || strings.ToLower(path.Ext(name)) != ".md":
			return ctx.Err()
		}
		text, err := readFile(dir, name)
		var made []record
		if err == nil {
			made, err = make(name, text)
		}
		if err != nil {
			bad = append(bad, index.Problem{Path: name, Text: err.Error()})
		}
		records = append(records, made...)
		return ctx.Err()
	})
	if err != nil {
		err = fmt.Errorf("reading the folder: %w", err)
	}
	return records, bad, err
}

// takeFolder imports what was read of a folder.
func takeFolder(ctx context.Context, w *workspace.Workspace, records []record, bad []index.Problem,
	dry bool,
) (Result, error) {
	out, err := take(ctx, w, records, dry, refText)
	out.Skipped = append(bad, out.Skipped...)
	return out, err
}

// head is the frontmatter of a note, as YAML.
type head struct {
	Title       string  `yaml:"title"`
	Name        string  `yaml:"name"`
	Description string  `yaml:"description"`
	Type        string  `yaml:"type"`
	Permalink   string  `yaml:"permalink"`
	Created     string  `yaml:"created"`
	Date        string  `yaml:"date"`
	Tags        tagList `yaml:"tags"`
	Sources     tagList `yaml:"sources"`
	Status      string  `yaml:"status"`
	Generated   struct {
		At string `yaml:"at"`
	} `yaml:"generated"`
}

// tagList are texts in a list, or in one text.
type tagList []string

// UnmarshalYAML reads either. Of an object in the list every value is one.
func (t *tagList) UnmarshalYAML(n *yaml.Node) error {
	*t = words(n.Value)
	for _, item := range n.Content {
		if item.Kind == yaml.ScalarNode {
			*t = append(*t, item.Value)
		}
		for i := 1; i < len(item.Content); i += 2 {
			*t = append(*t, item.Content[i].Value)
		}
	}
	return nil
}

// headOf reads the frontmatter of a note; the zero one where there is none. The body is there
// even where the frontmatter is broken.
func headOf(text string) (h head, body string, err error) {
	text = strings.TrimPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "\ufeff")
	format := frontmatter.NewFormat("---", "---", func(front []byte, to any) error {
		err = yaml.Unmarshal(front, to)
		return nil
	})
	rest, _ := frontmatter.Parse(strings.NewReader(text), &h, format) // a text can be read
	if err != nil {
		err = fmt.Errorf("reading its frontmatter: %w", err)
	}
	return h, string(rest), err
}

var (
	noteObservation = lazy.Pattern(`^\s*[-*] \[([^\]\[()]{2,40})\] (.+)$`)
	noteRelation    = lazy.Pattern(`^\s*[-*] (?:([\w -]{2,40}?) )?\[\[([^\]]+)\]\]`)
	noteTag         = lazy.Pattern(`(?:^|\s)#([\w/-]+)`)
)

// BasicMemory imports a folder of notes of Basic Memory: each becomes a memory, and each
// observation of a category that names a type of memory one of its own, which is derived
// from the note. Relations become links.
func BasicMemory(ctx context.Context, w *workspace.Workspace, dir fs.FS, dry bool) (Result, error) {
	named := map[string]string{} // what relations call a note, to its ref
	records, bad, err := folder(ctx, dir,
		func(name, text string) ([]record, error) { return basicNote(name, text, named) })
	if err != nil {
		return Result{}, err
	}
	for i := range records {
		for k := range records[i].links {
			l := &records[i].links[k]
			if ref, ok := named[strings.ToLower(l.to)]; ok {
				l.to = ref
			}
		}
	}
	return takeFolder(ctx, w, records, bad, dry)
}

// basicNote reads one note, and notes in byName what relations may call it.
func basicNote(name, text string, byName map[string]string) ([]record, error) {
	h, body, err := headOf(text)
	if err != nil {
		return nil, err
	}
	stem := strings.TrimSuffix(name, path.Ext(name))
	title, permalink := cmp.Or(h.Title, path.Base(stem)), cmp.Or(h.Permalink, stem)
	ref := "basic-memory:" + permalink
	for _, call := range []string{title, permalink, stem, path.Base(stem)} {
		byName[strings.ToLower(call)] = ref
	}
	r := named(ref, title, "")
	r.Type, r.Date, r.tags = typeOf(h.Type), noteDate(h), h.Tags
	var kept []string
	out := []record{{}}
	for line := range strings.Lines(body) {
		line = strings.TrimRight(line, "\n")
		if l, ok := relationIn(line); ok {
			r.links = append(r.links, l)
		}
		if o, ok := observationIn(line, ref); ok {
			o.Date = r.Date
			out = append(out, o)
		} else if strings.TrimSpace(line) != "# "+title {
			kept = append(kept, line)
		}
	}
	r.Text = strings.TrimSpace(withoutEmptySections(kept))
	out[0] = r
	if r.Text == "" && len(out) > 1 && len(r.links) == 0 { // all that it says stands by itself
		out = out[1:]
		for i := range out {
			out[i].tags, out[i].links = append(out[i].tags, h.Tags...), nil
		}
	}
	return out, nil
}

// relationIn is the link to another note that a line states.
func relationIn(line string) (refLink, bool) {
	m := noteRelation().FindStringSubmatch(line)
	if m == nil {
		return refLink{}, false
	}
	return refLink{relOf(strings.ReplaceAll(m[1], " ", "_")), m[2]}, true
}

// observationIn is the observation of a note that a line states, if that is of one of our
// types.
func observationIn(line, ref string) (record, bool) {
	m := noteObservation().FindStringSubmatch(line)
	if m == nil {
		return record{}, false
	}
	t, err := memory.ParseType(m[1])
	if err != nil {
		return record{}, false
	}
	o := basicObservation(ref, m[2])
	o.Type = string(t)
	return o, true
}

// basicObservation is one observation of the note ref: "text #tag (context)".
func basicObservation(ref, text string) record {
	tags := lists.Map(noteTag().FindAllStringSubmatch(text, -1), func(m []string) string { return m[1] })
	text = strings.TrimSpace(noteTag().ReplaceAllString(text, ""))
	o := said(ref+"#"+memory.Slug(text), text)
	o.tags = tags
	o.links = []refLink{{memory.DerivedFrom, ref}}
	return o
}

// withoutEmptySections joins lines, without headings that nothing stands below.
func withoutEmptySections(lines []string) string {
	const text = math.MaxInt // deeper than any heading
	var out []string
	below := 0 // the level of what was kept last
	for _, line := range slices.Backward(lines) {
		level := headingLevel(line)
		if level > 0 && below <= level {
			continue
		}
		out = append(out, line)
		switch {
		case level > 0:
			below = level
		case strings.TrimSpace(line) != "":
			below = text
		}
	}
	slices.Reverse(out)
	return strings.Join(out, "\n")
}

// headingLevel is the number of # before a heading, 0 of another line.
func headingLevel(line string) int {
	rest := strings.TrimLeft(line, "#")
	if !strings.HasPrefix(rest, " ") {
		return 0
	}
	return len(line) - len(rest)
}

func noteDate(h head) string { return dateOf(cmp.Or(h.Created, h.Date, h.Generated.At)) }

// NotesFolder imports a folder of Markdown files, such as what an agent wrote for itself
// (an index and a file for each subject). A file with the frontmatter that agents give
// such files becomes one memory, of any other each section. An index of the others, which
// holds links alone, is passed over.
func NotesFolder(ctx context.Context, w *workspace.Workspace, dir fs.FS, dry bool) (Result, error) {
	records, bad, err := folder(ctx, dir, func(name, text string) ([]record, error) {
		records, err := noteRecords(name, text)
		return lists.Without(records, func(r record) bool { return onlyLinks(r.Text) }), err
	})
	if err != nil {
		return Result{}, err
	}
	return takeFolder(ctx, w, records, bad, dry)
}

// noteRecords makes one record of a Markdown file whose frontmatter says its type and what it
// is called, and of any other one for each section.
func noteRecords(name, text string) ([]record, error) {
	h, body, err := headOf(text)
	title := cmp.Or(h.Description, h.Title, h.Name)
	if title == "" || h.Type == "" {
		return sectionRecords(name, text), err
	}
	body, _ = strings.CutPrefix(strings.TrimSpace(body), "# "+title+"\n")
	if len(h.Sources) > 0 {
		body += "\n\nSources: " + strings.Join(h.Sources, ", ")
	}
	r := named("notes:"+name, title, body)
	r.Type, r.tags, r.Date = agentNote(h.Type), h.Tags, noteDate(h)
	r.files = lists.Without(h.Sources, func(source string) bool { return strings.Contains(source, "://") })
	return []record{r}, err
}

// agentNote is the type of a memory for one of the types of Claude Code's notes.
func agentNote(kind string) string {
	switch strings.ToLower(kind) {
	case "user", "feedback":
		return string(memory.Preference)
	case "project", "reference":
		return string(memory.Context)
	}
	return typeOf(kind)
}

// onlyLinks reports whether every line of a text is an item with a link to a file.
func onlyLinks(text string) bool {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line != "" && !(strings.HasPrefix(line, "- [") || strings.HasPrefix(line, "* [")) {
			return false
		}
	}
	return true
}
