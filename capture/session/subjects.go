package session

import (
	"math"
	"strconv"
	"strings"
)

// formatSubjects writes words with their counts: "search 12, index 7".
func formatSubjects(list []Subject) string {
	var b strings.Builder
	for i, s := range list {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(s.Word + " " + strconv.Itoa(s.Count))
	}
	return b.String()
}

// maxSubjects bounds what is read of a record that something else wrote.
const maxSubjects = 1000

func parseSubjects(v string) []Subject {
	var out []Subject
	for part := range strings.SplitSeq(v, ", ") {
		word, count, _ := strings.Cut(part, " ")
		if n := parseNumber(count); n > 0 && word != "" {
			out = append(out, Subject{Word: word, Count: int(min(n, math.MaxInt32))})
		}
	}
	return out[:min(len(out), maxSubjects)]
}
