package words

import (
	"math/rand/v2"
	"testing"
)

// TestNear holds that the automaton matches a word exactly when it is as few edits
// away as Speller counts, and gives up on no beginning of such a word.
func TestNear(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	letters := []rune("abcéß語🚀")
	word := func() string {
		w := make([]rune, r.IntN(9))
		for i := range w {
			w[i] = letters[r.IntN(len(letters))]
		}
		return string(w)
	}
	matched := 0
	for range 20000 {
		a, b, most := word(), word(), r.IntN(3)
		n := NewNear(a, most)
		s, can := n.Start(), true
		for i := range len(b) {
			s = n.Accept(s, b[i])
			can = can && n.CanMatch(s)
		}
		want := new(Speller).Distance([]rune(a), []rune(b)) <= most
		if got := n.IsMatch(s); got != want || want && !can {
			t.Fatalf("%q, %d edits from %q: %v, want %v; could match %v", b, most, a, got, want, can)
		}
		if want {
			matched++
		}
	}
	if matched < 100 {
		t.Errorf("%d pairs were near", matched)
	}
}

func BenchmarkNear(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	var dictionary [][]byte
	for range 10000 {
		w := make([]byte, 3+r.IntN(9))
		for i := range w {
			w[i] = 'a' + byte(r.IntN(26))
		}
		dictionary = append(dictionary, w)
	}
	for b.Loop() {
		n := NewNear("telemetry", 2)
		for _, w := range dictionary {
			s := n.Start()
			for i := 0; i < len(w) && n.CanMatch(s); i++ {
				s = n.Accept(s, w[i])
			}
		}
	}
}
