package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// tableRows bounds the rows that are read of one table.
const tableRows = 24

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
	changed, fence := false, ""
	for i := 0; i < len(lines); i++ {
		t := strings.TrimSpace(lines[i])
		switch mark := fenceMark(t); {
		case fence == "":
			fence = mark
		case mark == fence:
			fence = ""
		}
		if fence == "" && strings.Contains(t, "|") && i+1 < len(lines) && isRule(lines[i+1]) {
			end := i + 2
			for end < len(lines) && strings.Contains(lines[end], "|") && strings.TrimSpace(lines[end]) != "" {
				end++
			}
			if items := tableItems(cells(t), lines[i+2:end]); items != "" {
				b.WriteString("\n" + items + "\n")
				changed = true
				i = end - 1
				continue
			}
		}
		b.WriteString(lines[i])
	}
	if !changed {
		return md
	}
	return b.String()
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

// isRule holds for the line below a table's header.
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
		switch {
		case row[i] == '`':
			code = !code
		case row[i] == '|' && !code && (i == 0 || row[i-1] != '\\'):
			out = append(out, strings.TrimSpace(row[from:i]))
			from = i + 1
		}
	}
	return append(out, strings.TrimSpace(row[from:]))
}

// column says what stands in a column of a table.
type column int

const (
	otherColumn column = iota
	numberColumn
	chosenColumn
	reasonColumn
	ownReasonColumn // a reason in another language, which is introduced by its own header
)

func columnOf(header string) column {
	h := strings.ToLower(strings.Trim(Plain(header), "*_`? "))
	switch h {
	case "", "#", "no", "no.", "nr", "nr.", "id", "n°":
		return numberColumn
	case "decision", "choice", "chosen", "verdict", "selected", "picked", "we use", "we chose", "our choice", "resolution",
		"entscheidung", "wahl", "décision", "choix", "decisión", "elección", "决定", "选择":
		return chosenColumn
	case "why", "why?", "reason", "reasons", "reasoning", "rationale", "because", "justification", "why not":
		return reasonColumn
	case "grund", "begründung", "warum",
		"raison", "pourquoi", "motivo", "razón", "por qué", "理由", "原因":
		return ownReasonColumn
	}
	return otherColumn
}

// tableItems makes a list of a table's rows, "" of one that says no reason and
// nothing that was decided.
func tableItems(header []string, rows []string) string {
	kinds := make([]column, len(header))
	subject, telling := -1, false
	for i, h := range header {
		kinds[i] = columnOf(h)
		telling = telling || kinds[i] >= reasonColumn || kinds[i] == chosenColumn && len(header) > 1
		if subject < 0 && kinds[i] != numberColumn && kinds[i] < reasonColumn {
			subject = i
		}
	}
	if !telling || subject < 0 || len(header) < 2 || len(header) > 8 {
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
	var chosen, reason, rest []string
	for i, cell := range row[:min(len(row), len(header))] {
		cell = strings.TrimRight(cell, ". ")
		switch {
		case i == subject || blankCell(cell) || kinds[i] == numberColumn:
		case kinds[i] == chosenColumn:
			chosen = append(chosen, cell)
		case kinds[i] == reasonColumn:
			reason = append(reason, lowered(cell))
		default:
			rest = append(rest, strings.Trim(header[i], "*")+": "+cell)
		}
	}
	said := strings.Join(append(chosen, rest...), "; ")
	if len(reason) > 0 {
		if said != "" {
			said += ", "
		}
		said += "because " + strings.TrimPrefix(strings.Join(reason, "; "), "because ")
	}
	if said == "" {
		return ""
	}
	return "**" + strings.Trim(row[subject], "*: ") + "**: " + said + "."
}

func blankCell(cell string) bool { return strings.Trim(cell, "-–—*_ \t?") == "" }

// lowered begins a sentence with a small letter, unless its first word is a name.
func lowered(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	next, _ := utf8.DecodeRuneInString(s[size:])
	word := FirstWord(s)
	if !unicode.IsUpper(r) || !unicode.IsLower(next) && next != ' ' || strings.IndexFunc(word[min(len(word), size):], func(r rune) bool { return unicode.IsUpper(r) || unicode.IsDigit(r) }) >= 0 {
		return s
	}
	switch word {
	case "We", "It", "The", "This", "That", "There", "No", "Not", "A", "An", "They", "Its", "Our", "Only", "All", "One", "Easier", "Simpler", "Faster", "Avoids", "Keeps", "Needs", "Too":
		return string(unicode.ToLower(r)) + s[size:]
	}
	return s
}
