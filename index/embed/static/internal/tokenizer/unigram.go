package tokenizer

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"unicode/utf8"
)

// unknownPenalty is how much worse than the worst token an unknown character
// scores, as in SentencePiece.
const unknownPenalty = 10

// unigram is the model of SentencePiece: the split of a piece into tokens with
// the highest sum of scores, by Viterbi (Kudo 2018, "Subword regularization").
// Of equal splits the one whose last token is longer wins, as there.
type unigram struct {
	words    vocabulary
	scores   []float64
	unk      int // -1: none
	unkScore float64
}

func newUnigram(m *modelText) (tokenModel, error) {
	u := &unigram{words: m.words, scores: m.scores, unk: m.unknownID}
	if m.byteFallback {
		return nil, errors.New("unknown characters as bytes are not supported")
	}
	if len(u.scores) == 0 {
		return nil, errors.New("model has no vocabulary")
	}
	if u.unk >= len(u.scores) {
		return nil, fmt.Errorf("unknown token %d is not in the vocabulary", u.unk)
	}
	worst := math.Inf(1)
	for _, s := range u.scores {
		worst = min(worst, s)
	}
	u.unkScore = worst - unknownPenalty
	return u, nil
}

func (u *unigram) vocabulary() *vocabulary { return &u.words }
func (u *unigram) unknown() int            { return u.unk }

// step is the best way to a place of a piece: its last token.
type step struct {
	score float64
	from  int32 // -1: none yet
	token int32 // -1: an unknown character
}

func (u *unigram) encode(word string, out []int32) []int32 {
	steps := make([]step, len(word)+1)
	for i := range steps {
		steps[i].from = -1
	}
	reach := func(from, to int, token int32, score float64) {
		if s := steps[from].score + score; steps[to].from < 0 || s > steps[to].score {
			steps[to] = step{s, int32(from), token}
		}
	}
	for from := 0; from < len(word); {
		_, width := utf8.DecodeRuneInString(word[from:])
		single := false
		for to := from + width; to <= min(len(word), from+u.words.longest); {
			if id := u.words.find(word[from:to]); id >= 0 {
				reach(from, to, int32(id), u.scores[id])
				single = single || to == from+width
			}
			if to == len(word) {
				break
			}
			_, w := utf8.DecodeRuneInString(word[to:])
			to += w
		}
		if !single {
			reach(from, from+width, -1, u.unkScore)
		}
		from += width
	}
	return u.collect(steps, out)
}

// collect walks the best way back.
func (u *unigram) collect(steps []step, out []int32) []int32 {
	start := len(out)
	for to := len(steps) - 1; to > 0; {
		s := steps[to]
		switch {
		case s.token >= 0:
			out = append(out, s.token)
		case u.unk >= 0:
			out = append(out, int32(u.unk))
		}
		to = int(s.from)
	}
	slices.Reverse(out[start:])
	return out
}
