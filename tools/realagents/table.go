package main

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// Lines of a page that the table stands between.
const (
	tableBegin = "<!-- real-agents: the table is made by .ci/real-agents -update -->\n"
	tableEnd   = "<!-- /real-agents -->\n"
)

// table holds a title and cells for each client.
type table struct {
	titles []string
	cells  map[string]map[string]string // by title and row
}

// readTable reads the table of a page.
func readTable(page string) table {
	t := table{cells: map[string]map[string]string{}}
	_, rest, _ := strings.Cut(page, tableBegin)
	block, _, _ := strings.Cut(rest, tableEnd)
	for line := range strings.Lines(block) {
		parts := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		for i := range parts {
			parts[i] = strings.TrimSpace(parts[i])
		}
		switch {
		case len(parts) < 2 || strings.HasPrefix(parts[0], "---"):
		case t.titles == nil:
			t.titles = parts[1:]
			for _, title := range t.titles {
				t.cells[title] = map[string]string{}
			}
		case len(parts) == len(t.titles)+1:
			for i, title := range t.titles {
				t.cells[title][parts[0]] = parts[i+1]
			}
		}
	}
	return t
}

// titleOf is the title of the column of a client, whichever its version, "" for none.
func (t table) titleOf(name string) string {
	i := slices.IndexFunc(t.titles, func(title string) bool { return strings.HasPrefix(title, name+" ") })
	if i < 0 {
		return ""
	}
	return t.titles[i]
}

// set puts the column of a client in place of the one that it had.
func (t *table) set(name, title string, cells map[string]string) {
	if old := t.titleOf(name); old != "" {
		delete(t.cells, old)
		t.titles[slices.Index(t.titles, old)] = title
	} else {
		t.titles = append(t.titles, title)
	}
	t.cells[title] = cells
}

// text is the table as it stands in a page.
func (t table) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| | %s |\n|---%s|\n", strings.Join(t.titles, " | "), strings.Repeat("|---", len(t.titles)))
	for _, row := range rows() {
		fmt.Fprintf(&b, "| %s |", row)
		for _, title := range t.titles {
			fmt.Fprintf(&b, " %s |", t.cells[title][row])
		}
		b.WriteString("\n")
	}
	return b.String()
}

// update writes the table into a page.
func (t table) update(file, page string) error {
	before, rest, ok := strings.Cut(page, tableBegin)
	_, after, ended := strings.Cut(rest, tableEnd)
	if !ok || !ended {
		return errors.New(file + " has no place for the table")
	}
	return os.WriteFile(file, []byte(before+tableBegin+"\n"+t.text()+"\n"+tableEnd+after), 0o666)
}

// differences are the cells of a client that are not as a table says.
func (t table) differences(name string, cells map[string]string) []string {
	var out []string
	was := t.cells[t.titleOf(name)]
	for _, row := range rows() {
		if was[row] != cells[row] {
			out = append(out, fmt.Sprintf("%s, %s: %s, and it was: %s", name, row, cells[row], was[row]))
		}
	}
	return out
}
