package words

import (
	"iter"
	"strings"
)

// Rows returns the rows of a table: lines with a tab between columns, and remarks that
// begin with #. What a row lacks of so many columns is "".
func Rows(table string, columns int) iter.Seq[[]string] {
	return func(yield func(row []string) bool) {
		for line := range strings.Lines(table) {
			row := strings.Split(strings.TrimSpace(line), "\t")
			for len(row) < columns {
				row = append(row, "")
			}
			if !strings.HasPrefix(line, "#") && !yield(row) {
				return
			}
		}
	}
}

// Classes returns the words of each class of a table: the name of a class, and words with
// blanks between them.
func Classes(table string) map[string][]string {
	out := map[string][]string{}
	for row := range Rows(table, 2) {
		out[row[0]] = strings.Fields(row[1])
	}
	return out
}
