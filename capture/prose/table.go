package prose

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds of the tables that are read.
const (
	tableRows    = 24
	tableColumns = 8
)

// WithTables turns the tables of Markdown that say what was decided, or why, into
// lists: each row is an item with its subject in bold, "- **Storage**: segments,
// because a backup is one copy". All other tables, and those in fences, stay as
// they are.
func WithTables(md string) string {
	if !strings.Contains(md, "|") || !strings.Contains(md, "--") {
		return md
	}
	lines := strings.SplitAfter(md, "\n")
	var b strings.Builder
	fence := ""
	for i := 0; i < len(lines); i++ {
		switch mark := fenceMark(strings.TrimSpace(lines[i])); {
		case fence == "":
			fence = mark
		case mark == fence:
			fence = ""
		}
		end := tableEnd(lines[i:])
		items := ""
		if fence == "" && end > 0 {
			items = tableItems(cells(lines[i]), lines[i+2:i+end])
		}
		if items == "" {
			b.WriteString(lines[i])
			continue
		}
		b.WriteString("\n" + items + "\n")
		i += end - 1
	}
	return b.String()
}

// tableEnd is the number of lines of the table that some lines begin with, 0 for none.
func tableEnd(lines []string) int {
	if len(lines) < 2 || !strings.Contains(lines[0], "|") || !isRule(lines[1]) {
		return 0
	}
	rows := slices.IndexFunc(lines[2:], func(line string) bool { return !strings.Contains(line, "|") })
	if rows < 0 {
		return len(lines)
	}
	return 2 + rows
}

// fenceMark is the mark of a line that opens a fence.
func fenceMark(line string) string {
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(line, mark) {
			return mark
		}
	}
	return ""
}

// isRule reports whether a line is the one below a table's header.
func isRule(line string) bool {
	t := strings.TrimSpace(line)
	return strings.Contains(t, "--") && strings.Contains(t, "|") && strings.Trim(t, "|-: \t") == ""
}

// cells are the cells of a row.
func cells(row string) []string {
	row = strings.TrimSpace(row)
	row = strings.TrimSuffix(strings.TrimPrefix(row, "|"), "|")
	var out []string
	from, code := 0, false
	for i := range len(row) {
		switch row[i] {
		case '`':
			code = !code
		case '|':
			if code || strings.HasSuffix(row[:i], `\`) {
				continue
			}
			out = append(out, strings.TrimSpace(row[from:i]))
			from = i + 1
		}
	}
	return append(out, strings.TrimSpace(row[from:]))
}

// column says what stands in a column of a table, as the class of words that head it.
type column string

const (
	otherColumn     column = ""
	numberColumn    column = "number column"
	chosenColumn    column = "chosen column"
	reasonColumn    column = "reason column"
	ownReasonColumn column = "own reason column" // in another language, which is introduced by its own header
)

func columnOf(header string) column {
	h := strings.ToLower(strings.Trim(Plain(header), "*_`? "))
	if h == "" {
		return numberColumn
	}
	for _, c := range []column{numberColumn, chosenColumn, reasonColumn, ownReasonColumn} {
		if lexicon().Is(string(c), h) {
			return c
		}
	}
	return otherColumn
}

// columnsOf returns what stands in the columns of a table, nothing where it has too few or too many.
func columnsOf(header []string) []column {
	if len(header) < 2 || len(header) > tableColumns {
		return nil
	}
	kinds := make([]column, len(header))
	for i, h := range header {
		kinds[i] = columnOf(h)
	}
	return kinds
}

// tells reports whether a column says a reason, or what was decided.
func (c column) tells() bool { return !slices.Contains([]column{otherColumn, numberColumn}, c) }

// names reports whether a column may say what its rows are about.
func (c column) names() bool { return slices.Contains([]column{otherColumn, chosenColumn}, c) }

// tableItems makes a list of a table's rows, "" of one that says no reason and
// nothing that was decided.
func tableItems(header, rows []string) string {
	kinds := columnsOf(header)
	subject := slices.IndexFunc(kinds, column.names)
	if subject < 0 || !slices.ContainsFunc(kinds, column.tells) {
		return ""
	}
	var b strings.Builder
	for _, row := range rows[:min(len(rows), tableRows)] {
		if s := rowSentence(header, kinds, subject, cells(row)); s != "" {
			b.WriteString("- " + s + "\n")
		}
	}
	return b.String()
}

// rowSentence is a row as a sentence about its subject.
func rowSentence(header []string, kinds []column, subject int, row []string) string {
	if subject >= len(row) || blankCell(row[subject]) {
		return ""
	}
	said := map[column][]string{}
	for i, cell := range row[:min(len(row), len(header))] {
		cell = strings.TrimRight(cell, ". ")
		if i != subject && !blankCell(cell) {
			kind, text := kinds[i].read(header[i], cell)
			said[kind] = append(said[kind], text)
		}
	}
	text := strings.Join(append(said[chosenColumn], said[otherColumn]...), "; ")
	if reason := strings.Join(said[reasonColumn], "; "); reason != "" {
		text = strings.TrimPrefix(text+", because "+strings.TrimPrefix(reason, "because "), ", ")
	}
	if text == "" {
		return ""
	}
	return "**" + strings.Trim(row[subject], "*: ") + "**: " + text + "."
}

// read returns a cell as a part of a sentence, and which part it is.
func (c column) read(header, cell string) (part column, text string) {
	switch c {
	case reasonColumn:
		return c, lowered(cell)
	case otherColumn, ownReasonColumn:
		return otherColumn, strings.Trim(header, "*") + ": " + cell
	}
	return c, cell
}

func blankCell(cell string) bool { return strings.Trim(cell, "-–—*_ \t?") == "" }

// lowered begins a sentence with a small letter, if its first word is one that no name has.
func lowered(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if !lexicon().Is("begins in small letters", strings.ToLower(FirstWord(s))) {
		return s
	}
	return string(unicode.ToLower(r)) + s[size:]
}
