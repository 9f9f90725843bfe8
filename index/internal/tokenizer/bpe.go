package tokenizer

import (
	"container/heap"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// bpe merges the characters of a piece pair by pair, in the order in which the
// pairs were learned (Sennrich et al. 2016, "Neural machine translation of rare
// words with subword units").
type bpe struct {
	words        vocabulary
	merges       map[[2]int32]merge
	unk          int
	prefix       string // before a character that continues a word
	suffix       string // after the last character of a word
	fuseUnknown  bool
	byteFallback bool
	ignoreMerges bool
}

// merge is what becomes of a pair, and how early.
type merge struct {
	rank, token int32
}

func newBPE(m *modelText) (tokenModel, error) {
	if m.words.used == 0 {
		return nil, errors.New("model has no vocabulary")
	}
	b := &bpe{
		words: m.words, merges: make(map[[2]int32]merge, len(m.merges)), unk: -1, suffix: m.suffix,
		fuseUnknown: m.fuseUnknown, byteFallback: m.byteFallback, ignoreMerges: m.ignoreMerges,
	}
	if m.prefix != nil {
		b.prefix = *m.prefix
	}
	if m.unknown != "" {
		if b.unk = m.words.find(m.unknown); b.unk < 0 {
			return nil, fmt.Errorf("unknown token %.40q is not in the vocabulary", m.unknown)
		}
	}
	for i, pair := range m.merges {
		left, right := b.words.find(pair[0]), b.words.find(pair[1])
		whole := b.words.find(pair[0] + strings.TrimPrefix(pair[1], b.prefix))
		if left < 0 || right < 0 || whole < 0 {
			return nil, fmt.Errorf("merge of %.40q and %.40q is not in the vocabulary", pair[0], pair[1])
		}
		key := [2]int32{int32(left), int32(right)}
		if _, ok := b.merges[key]; !ok {
			b.merges[key] = merge{int32(i), int32(whole)}
		}
	}
	return b, nil
}

func (b *bpe) vocabulary() *vocabulary { return &b.words }
func (b *bpe) unknown() int            { return b.unk }

func (b *bpe) encode(word string, out []int32) []int32 {
	if b.ignoreMerges {
		if id := b.words.find(word); id >= 0 {
			return append(out, int32(id))
		}
	}
	symbols := b.symbols(word)
	b.mergeAll(symbols)
	for i := range symbols {
		if symbols[i].live {
			out = append(out, symbols[i].token)
		}
	}
	return out
}

// symbol is one token of a piece in the making, linked to its neighbours.
type symbol struct {
	token      int32
	prev, next int32 // -1: none
	live       bool
}

// symbols are the characters of word; what is not in the vocabulary is its
// bytes, the unknown token, or nothing.
func (b *bpe) symbols(word string) []symbol {
	out := make([]symbol, 0, len(word))
	unknown := false
	put := func(token int) {
		out = append(out, symbol{token: int32(token), prev: int32(len(out)) - 1, next: int32(len(out)) + 1, live: true})
	}
	for at := 0; at < len(word); {
		_, w := utf8.DecodeRuneInString(word[at:])
		char := word[at : at+w]
		name := char
		if at > 0 {
			name = b.prefix + name
		}
		if at += w; at == len(word) {
			name += b.suffix
		}
		if id := b.words.find(name); id >= 0 {
			put(id)
			unknown = false
			continue
		}
		if b.byteFallback {
			if ids, ok := byteTokens(&b.words, char); ok {
				for _, id := range ids {
					put(int(id))
				}
				unknown = false
				continue
			}
		}
		if b.unk >= 0 && (!unknown || !b.fuseUnknown) {
			put(b.unk)
		}
		unknown = true
	}
	if len(out) > 0 {
		out[len(out)-1].next = -1
	}
	return out
}

// mergeAll merges until no pair is left that was learned, the earliest learned
// first, the leftmost of equals first.
func (b *bpe) mergeAll(s []symbol) {
	var queue mergeQueue
	push := func(left int32) {
		if left < 0 || s[left].next < 0 {
			return
		}
		right := s[left].next
		if m, ok := b.merges[[2]int32{s[left].token, s[right].token}]; ok {
			heap.Push(&queue, mergeStep{merge: m, at: left, left: s[left].token, right: s[right].token})
		}
	}
	for i := range s {
		push(int32(i))
	}
	for queue.Len() > 0 {
		m := heap.Pop(&queue).(mergeStep)
		left := &s[m.at]
		if !left.live || left.next < 0 || left.token != m.left || s[left.next].token != m.right {
			continue // changed since
		}
		right := &s[left.next]
		left.token, left.next, right.live = m.token, right.next, false
		if left.next >= 0 {
			s[left.next].prev = m.at
		}
		push(left.prev)
		push(m.at)
	}
}

// mergeStep is a merge that may be done, of these two tokens at this place.
type mergeStep struct {
	merge
	at, left, right int32
}

type mergeQueue []mergeStep

func (q mergeQueue) Len() int { return len(q) }
func (q mergeQueue) Less(i, j int) bool {
	if q[i].rank != q[j].rank {
		return q[i].rank < q[j].rank
	}
	return q[i].at < q[j].at
}
func (q mergeQueue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }

// Push and Pop are for container/heap.
func (q *mergeQueue) Push(x any) { *q = append(*q, x.(mergeStep)) }

// Pop removes the last.
func (q *mergeQueue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}
