package words

import (
	"slices"
	"unicode/utf8"
)

// Near is an automaton over the bytes of words: it matches those that are at most so
// many edits from one, and gives up on all others as soon as what they begin with is
// too far. So a sorted dictionary is searched in a small part of the time that comparing
// all of its words takes. An edit is a letter changed, left out, added, or swapped with
// its neighbour (optimal string alignment). It is for one goroutine.
type Near struct {
	letters []rune
	most    uint8
	states  []nearState
	rows    []uint8 // of each state two, of the last letter but one and of the last
}

// nearState stands for a beginning of a word.
type nearState struct {
	last    rune // the last letter
	partial [utf8.UTFMax]byte
	bytes   uint8 // of partial: a letter that is not whole yet
}

// far is the state of all beginnings that are too far from the word.
const far = -1

// NewNear returns the automaton of the words at most so many edits from word.
func NewNear(word string, most int) *Near {
	n := &Near{letters: []rune(word), most: uint8(most)}
	before, row := n.grow(nearState{last: -1})
	for i := range row {
		before[i], row[i] = n.most+1, min(uint8(min(i, 255)), n.most+1)
	}
	return n
}

// grow adds a state, the last one then, and returns its rows, which are to be filled.
func (n *Near) grow(s nearState) (before, row []uint8) {
	width := len(n.letters) + 1
	n.states = append(n.states, s)
	n.rows = slices.Grow(n.rows, 2*width)[:len(n.rows)+2*width]
	return n.at(len(n.states) - 1)
}

func (n *Near) at(state int) (before, row []uint8) {
	width := len(n.letters) + 1
	rows := n.rows[state*2*width:]
	return rows[:width], rows[width : 2*width]
}

// Start returns the state before the first byte.
func (n *Near) Start() int { return 0 }

// Distance returns how many edits a word is away; more than the automaton allows for one
// that is not near. The states before are not valid any more.
func (n *Near) Distance(word string) int {
	state := n.Start()
	for i := 0; i < len(word) && n.CanMatch(state); i++ {
		state = n.Accept(state, word[i])
	}
	distance := n.most + 1
	if n.IsMatch(state) {
		_, row := n.at(state)
		distance = row[len(n.letters)]
	}
	n.states, n.rows = n.states[:1], n.rows[:2*(len(n.letters)+1)]
	return int(distance)
}

// IsMatch reports whether what was read is a word that is near.
func (n *Near) IsMatch(state int) bool {
	if state == far || n.states[state].bytes > 0 {
		return false
	}
	_, row := n.at(state)
	return row[len(n.letters)] <= n.most
}

// CanMatch reports whether what was read may begin a word that is near.
func (n *Near) CanMatch(state int) bool { return state != far }

// WillAlwaysMatch reports false: a word that goes on for long is never near.
func (n *Near) WillAlwaysMatch(int) bool { return false }

// Accept returns the state after one more byte.
func (n *Near) Accept(state int, b byte) int {
	if state == far {
		return far
	}
	s := n.states[state]
	s.partial[s.bytes] = b
	s.bytes++
	if !utf8.FullRune(s.partial[:s.bytes]) {
		before, row := n.grow(s)
		wasBefore, was := n.at(state)
		copy(before, wasBefore)
		copy(row, was)
		return len(n.states) - 1
	}
	letter, _ := utf8.DecodeRune(s.partial[:s.bytes])
	before, row := n.grow(nearState{last: letter})
	wasBefore, was := n.at(state)
	copy(before, was)
	if n.step(row, was, wasBefore, letter, s.last) > n.most {
		n.states = n.states[:len(n.states)-1] // its place is for another
		n.rows = n.rows[:len(n.states)*2*len(row)]
		return far
	}
	return len(n.states) - 1
}

// step fills the row of a letter from those of the two before it, and returns the
// least that stands in it: no word that begins so is nearer.
func (n *Near) step(row, last, before []uint8, letter, previous rune) uint8 {
	row[0] = min(last[0]+1, n.most+1)
	least := row[0]
	for i := 1; i < len(row); i++ {
		cost := uint8(1)
		if n.letters[i-1] == letter {
			cost = 0
		}
		d := min(last[i]+1, row[i-1]+1, last[i-1]+cost)
		if i > 1 && n.letters[i-1] == previous && n.letters[i-2] == letter {
			d = min(d, before[i-2]+1)
		}
		row[i] = min(d, n.most+1)
		least = min(least, row[i])
	}
	return least
}
