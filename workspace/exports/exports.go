// Package exports writes memories in the formats of others, for people and programs
// that do not know Cortex. Call [Lines] for JSON Lines and [Document] for one Markdown
// text.
//
// It promises that what is written depends on the memories alone, in a fixed order, and
// that `import jsonl` reads what Lines wrote.
package exports

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Lines writes one JSON object a line for each memory: the shape "memory" of docs/json.md,
// and "date", the day and time it was made, by which others sort.
func Lines(out io.Writer, entries []workspace.Entry) error {
	w := bufio.NewWriter(out)
	for _, e := range entries {
		o := e.Object(true)
		o.Add("date", e.Memory.Created.Format("2006-01-02T15:04:05Z"))
		line, err := o.End()
		if err != nil {
			return fmt.Errorf("writing %s as JSON: %w", e.Memory.ID.Short(), err)
		}
		_, _ = w.Write(append(line, '\n')) // Flush says what failed
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing the export: %w", err)
	}
	return nil
}

// Document writes one Markdown text: a section for each type, in it the memories, newest
// first. Name is that of the project.
func Document(out io.Writer, name string, entries []workspace.Entry) error {
	w := bufio.NewWriter(out)
	fmt.Fprintf(w, "# Memories of %s\n", inline(name))
	for _, t := range memory.Types() {
		first := true
		for _, e := range entries {
			if e.Memory.Type != t {
				continue
			}
			if first {
				fmt.Fprintf(w, "\n## %s\n", heading(t))
				first = false
			}
			fmt.Fprintf(w, "\n### %s\n\n", inline(e.Memory.Title))
			if e.Memory.Text != "" {
				fmt.Fprintf(w, "%s\n\n", lowered(e.Memory.Text))
			}
			fmt.Fprintf(w, "_%s_\n", inline(strings.Join(factsOf(&e), " · ")))
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing the export: %w", err)
	}
	return nil
}

// factsOf returns the facts that stand below a memory.
func factsOf(e *workspace.Entry) []string {
	m := e.Memory
	facts := []string{m.Created.Format("2006-01-02")}
	if e.Status != memory.StatusActive {
		facts = append(facts, string(e.Status))
	}
	if e.Stage != "landed" {
		facts = append(facts, string(e.Stage))
	}
	if len(m.Files) > 0 {
		facts = append(facts, strings.Join(m.Files, ", "))
	}
	return append(facts, m.ID.Short())
}

// heading returns the name of a type as a heading: the plural, with a capital.
func heading(t memory.Type) string {
	plural := map[memory.Type]string{
		"rejected": "Rejected approaches", "learned": "Learned", "progress": "Progress",
		"code": "Code", "fix": "Fixes",
	}
	if name, ok := plural[t]; ok {
		return name
	}
	s := string(t)
	return strings.ToUpper(s[:1]) + s[1:] + "s"
}

// inline makes a text one line of Markdown that is nothing but text.
func inline(s string) string {
	return strings.NewReplacer("\n", " ", "<", "&lt;", "[", `\[`, "]", `\]`, "*", `\*`, "_", `\_`, "`",
		"\\`").Replace(s)
}

// lowered moves the headings of a text below those of the document. Lines in a fence
// are no headings.
func lowered(text string) string {
	lines := strings.Split(text, "\n")
	fence := ""
	for i, line := range lines {
		mark := strings.TrimLeft(line, " ")
		switch {
		case fence != "":
			if strings.HasPrefix(mark, fence) {
				fence = ""
			}
		case strings.HasPrefix(mark, "```"), strings.HasPrefix(mark, "~~~"):
			fence = mark[:3]
		case strings.HasPrefix(line, "#") && strings.HasPrefix(strings.TrimLeft(line, "#"), " "):
			hashes, text, _ := strings.Cut(line, " ")
			lines[i] = strings.Repeat("#", min(6, len(hashes)+3)) + " " + text
		}
	}
	return strings.Join(lines, "\n")
}
