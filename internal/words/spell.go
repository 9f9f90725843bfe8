package words

// Speller counts edits between words; its rows are used again. The zero value is
// ready.
type Speller struct{ before, last, row []int }

// Distance is the optimal string alignment distance of a and b: letters
// changed, left out, added, or swapped with their neighbour.
func (s *Speller) Distance(a, b []rune) int {
	reset := func(r []int) []int { return append(r[:0], make([]int, len(b)+1)...) }
	s.before, s.last, s.row = reset(s.before), reset(s.last), reset(s.row)
	for j := range s.last {
		s.last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		s.row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			s.row[j] = min(s.last[j]+1, s.row[j-1]+1, s.last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				s.row[j] = min(s.row[j], s.before[j-2]+1)
			}
		}
		s.before, s.last, s.row = s.last, s.row, s.before
	}
	return s.last[len(b)]
}
