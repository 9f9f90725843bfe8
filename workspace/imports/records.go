package imports

import (
	"bytes"
	"cmp"
	"context"
	_ "embed" // words that give orders
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/markers"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/pages"
)

// maxSource bounds one file that is read whole, in bytes.
const maxSource = 16 << 20

// ErrNothing is a source without anything to import.
var ErrNothing = errors.New("there is nothing to import")

// take imports records that are all known. Where names the one that a problem is about.
func take(ctx context.Context, w *workspace.Workspace, records []record, dry bool,
	where func(*record) string,
) (Result, error) {
	return streamOf(records).take(ctx, w, Input{DryRun: dry}, where)
}

// refLink is a link to a record by the id it had.
type refLink struct {
	rel memory.Rel
	to  string
}

// relOf is the relation of a name, or that two records have to do with each other.
func relOf(name string) memory.Rel {
	rel, _ := memory.ParseRel(name) // "" of another
	return cmp.Or(rel, memory.RelatesTo)
}

// typeOf is the type of memory of a name, or that of what is told for later.
func typeOf(name string) string {
	t, _ := memory.ParseType(name) // "" of another
	return string(cmp.Or(t, memory.Context))
}

// named makes a record with the id ref.
func named(ref, title, text string) record {
	id, _ := json.Marshal(ref) //nolint:errchkjson // a string
	return record{ID: id, Title: title, Text: strings.TrimSpace(text)}
}

// said makes a record of a text that has no title: its first sentence, which stays out of
// the text if there is nothing else.
func said(ref, text string) record {
	title := strings.TrimSuffix(titleOf(text, ref), ".")
	if strings.TrimSuffix(memory.OneLine(text), ".") == title {
		return named(ref, title, "")
	}
	return named(ref, "", text)
}

// all reads the whole input, within the bound.
func (in *Input) all() ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(in.Lines, maxSource+1))
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", in.Name, err)
	}
	if len(data) > maxSource {
		return nil, fmt.Errorf("%s has over %d MB", in.Name, maxSource>>20)
	}
	return data, nil
}

// eachLine calls read with each line of the input that is not blank, and returns the lines that it refuses
// with its reasons.
func (in *Input) eachLine(read func(line []byte) error) (bad []index.Problem, err error) {
	data, err := in.all()
	n := 0
	for line := range bytes.Lines(data) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		if err := read(line); err != nil {
			bad = append(bad, index.Problem{Path: in.Name, Line: n, Text: err.Error()})
		}
	}
	return bad, err
}

// MCPMemory imports the file of the reference memory server of the Model Context
// Protocol (memory.jsonl): each entity becomes a memory of its observations, each
// relation a link. What a line is not is passed over, and named in the result.
func MCPMemory(ctx context.Context, w *workspace.Workspace, in Input) (Result, error) {
	var records []record
	at := map[string]int{}
	var relations []mcpLine
	bad, err := in.eachLine(func(line []byte) error {
		var l mcpLine
		switch err := json.Unmarshal(line, &l); {
		case err != nil:
			return fmt.Errorf("not a JSON object: %w", err)
		case l.Type == "entity" && l.Name != "":
			at[l.Name] = len(records)
			records = append(records, l.entity())
		case l.Type == "relation":
			relations = append(relations, l)
		default:
			return errors.New("neither an entity nor a relation")
		}
		return nil
	})
	if err != nil {
		return Result{}, err
	}
	for _, l := range relations {
		from, ok := at[l.From]
		if _, there := at[l.To]; !ok || !there {
			continue
		}
		rel, err := memory.ParseRel(l.RelationType)
		if err != nil || rel == memory.Supersedes {
			rel = memory.RelatesTo
			records[from].Text += "\n- " + l.RelationType + " " + l.To
		}
		records[from].links = append(records[from].links, refLink{rel, "mcp:" + l.To})
	}
	out, err := take(ctx, w, records, in.DryRun, in.byRef)
	out.Skipped = append(bad, out.Skipped...)
	return out, err
}

// mcpLine is a line of the file of the memory server of MCP: an entity or a relation.
type mcpLine struct {
	Type         string   `json:"type"`
	Name         string   `json:"name"`
	EntityType   string   `json:"entityType"`
	Observations []string `json:"observations"`
	From         string   `json:"from"`
	To           string   `json:"to"`
	RelationType string   `json:"relationType"`
}

// entity is the record of a line of type entity.
func (l *mcpLine) entity() record {
	text := ""
	if len(l.Observations) > 0 {
		text = "- " + strings.Join(l.Observations, "\n- ")
	}
	r := named("mcp:"+l.Name, l.Name, text)
	if l.EntityType != "" {
		r.tags = []string{l.EntityType}
	}
	r.Type = typeOf(l.EntityType)
	return r
}

// refText returns the id that a record had.
func refText(r *record) string {
	ref, _ := refOf(r.ID)
	return ref
}

// byRef names a record of the input by the id that it had.
func (in *Input) byRef(r *record) string { return in.Name + ": " + refText(r) }

// Notes imports a Markdown file of instructions or notes, such as CLAUDE.md, AGENTS.md
// or what an agent wrote for itself: each section becomes a memory.
func Notes(ctx context.Context, w *workspace.Workspace, in Input) (Result, error) {
	data, err := in.all()
	if err != nil {
		return Result{}, err
	}
	own, _ := markers.Remove(data, pages.SurfaceBlock(nil)) // what stands there are memories
	// what is broken in the head says nothing of the sections
	records, _ := noteRecords(path.Base(strings.ReplaceAll(in.Name, `\`, "/")), string(own))
	return take(ctx, w, records, in.DryRun, func(r *record) string { return in.Name + ": " + r.Title })
}

// sectionRecords makes a record of each section of a Markdown file called base.
func sectionRecords(base, text string) []record {
	var records []record
	seen := map[string]int{}
	_, body, _ := headOf(text) // what is broken in the head says nothing of the sections
	for _, s := range sections(body) {
		text := strings.TrimSpace(s.text)
		if text == "" {
			continue
		}
		title := strings.Join(s.path, ": ")
		title = cmp.Or(title, "Notes of "+base)
		ref := "notes:" + base + "#" + title
		if seen[ref]++; seen[ref] > 1 {
			ref += fmt.Sprintf("-%d", seen[ref])
		}
		r := named(ref, title, text)
		r.Type = string(memory.Context)
		if commands(text) {
			r.Type = string(memory.Preference)
		}
		records = append(records, r)
	}
	return records
}

//go:embed orders.txt
var orders string // the verbs and adverbs that begin one

// commands reports whether most items or sentences of a text tell somebody what to do.
func commands(text string) bool {
	all, told := 0, 0
	for line := range strings.Lines(text) {
		line = strings.TrimLeft(strings.TrimSpace(line), "-*+ 0123456789.)")
		if line == "" {
			continue
		}
		first, _, _ := strings.Cut(strings.ToLower(strings.Trim(line, "*_`")), " ")
		all++
		if slices.Contains(strings.Fields(orders), strings.TrimRight(first, ",:")) {
			told++
		}
	}
	return told*2 > all
}

// section is the text below a heading, with the headings above it.
type section struct {
	path []string
	text string
}

// sections cuts a Markdown text at its headings. A first heading alone at its level is
// the title of the document, and names no section.
func sections(text string) []section {
	var out []section
	var stack []string
	var now strings.Builder
	fence := ""
	flush := func() {
		out = append(out, section{
			lists.Without(stack, func(s string) bool { return s == "" }),
			now.String(),
		})
		now.Reset()
	}
	for line := range strings.Lines(text) {
		mark, level := strings.TrimLeft(line, " "), headingLevel(line)
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
		case strings.HasPrefix(mark, "```"), strings.HasPrefix(mark, "~~~"):
			fence = mark[:3]
		case level > 0 && level <= 6:
			flush()
			for len(stack) < level {
				stack = append(stack, "")
			}
			stack = append(stack[:level-1:level-1], strings.TrimSpace(strings.Trim(line, "# \n\r")))
			continue
		}
		now.WriteString(line)
	}
	flush()
	return withoutTitle(out)
}

// withoutTitle takes the title of the document out of the paths: a first heading above all
// that stands in the document.
func withoutTitle(all []section) []section {
	told := lists.Without(all, section.isBlank)
	if slices.ContainsFunc(told, func(s section) bool { return s.top() == "" || s.top() != told[0].top() }) {
		return all
	}
	for i := range all {
		if len(all[i].path) > 1 {
			all[i].path = all[i].path[1:]
		}
	}
	return all
}

// isBlank reports whether nothing stands above the first heading.
func (s section) isBlank() bool { return len(s.path) == 0 && strings.TrimSpace(s.text) == "" }

// top is the first heading, "" above it.
func (s section) top() string { return strings.Join(s.path[:min(1, len(s.path))], "") }

// readFile reads a file of a folder, within the bound.
func readFile(dir fs.FS, name string) (string, error) {
	info, err := fs.Stat(dir, name)
	var data []byte
	switch {
	case err != nil:
	case !info.Mode().IsRegular(), info.Size() > maxSource:
		err = errors.New("not a file of a few megabytes")
	default:
		data, err = fs.ReadFile(dir, name)
	}
	if err != nil {
		return "", fmt.Errorf("reading %s: %w", name, err)
	}
	return string(data), nil
}
