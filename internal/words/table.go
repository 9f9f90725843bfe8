package words

import (
	"iter"
	"strings"
)

// Rows returns the rows of a table: lines with a tab between columns. Empty lines and remarks, which
// begin with #, are none. What a row lacks of so many columns is "".
func Rows(table string, columns int) iter.Seq[[]string] {
	return func(yield func(row []string) bool) {
		for line := range strings.Lines(table) {
			if row := rowOf(line, columns); row != nil && !yield(row) {
				return
			}
		}
	}
}

// rowOf returns the cells of a line, none where it is empty or a remark.
func rowOf(line string, columns int) []string {
	line = strings.TrimSpace(line)
	if line == "" || line[0] == '#' {
		return nil
	}
	row := strings.Split(line, "\t")
	return append(row, make([]string, max(0, columns-len(row)))...)
}

// Classes returns the words of each class of a table: the name of a class, and words with
// blanks between them. A class may go on in several rows.
func Classes(table string) map[string][]string {
	out := map[string][]string{}
	for row := range Rows(table, 2) {
		out[row[0]] = append(out[row[0]], strings.Fields(row[1])...)
	}
	return out
}
