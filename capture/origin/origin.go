// Package origin says whose words a statement holds: typed by a person, the agent's own
// conclusion, or those of something that was read or handed in.
//
// Call [New], [Tracker.Ask] with each statement, then [Tracker.Listen] with the transcript,
// or [Tracker.Hear] with all that was said in the session, in order; [Tracker.Origin] gives
// the answer. It is by words: a
// sentence is somebody's if half of its content words, four at least, stand in one sentence
// of theirs, or if most of its runs of three words stand in several.
// Who had a sentence first counts: what the agent wrote into a file and read again is its
// own. FORMAT.md, "Origin", says what follows.
//
// It promises: the answer depends on the texts before the statement and on their order
// alone; memory grows with the statements and never with the texts. A Tracker is for one
// goroutine.
package origin

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/sameness"
	"github.com/git-cortex/cortex/memory"
)

// Voice is who a text comes from.
type Voice int

// The voices.
const (
	Typed Voice = iota // by the person
	Said               // by the agent: its messages, and what it puts into calls
	Heard              // results of tools, pages, pasted documents, summaries, injected text
	voices
)

// How close to a sentence that was heard a statement is no longer anybody's own, as the
// share of its distinct content words.
const (
	Paraphrase = 0.5 // in other words, half of them kept
	Quotation  = 0.7 // in much the same words
)

// Thresholds, as shares of the distinct content words, or of the runs of three, of a
// sentence. docs/evaluation.md has what they were measured on.
const (
	ownWords   = 0.6  // of the words, in one text of the person or, before, of the agent
	heardShare = 0.4  // of the sentence that was heard, so that no long one covers everything
	mainShare  = 0.34 // of a statement, from which on a foreign sentence behind its first is the whole of it
	runsShare  = 0.7  // of the runs, wherever they stand: a sentence put together from parts
	fewWords   = 4    // words that a passage has to share, whatever the share
	shortest   = 3    // words of a sentence that says anything
	mostWords  = 64   // of a sentence that are looked at
	apart      = 1024 // words between two texts, so that no passage spans both
)

// Tracker follows a session and finds whose words the statements are.
type Tracker struct {
	statements []statement
	words      map[uint32][]place
	runs       map[uint32][]place
	buf        []uint32
	at         int // position of the next word
	touched    []*sentence
	need       int // words of a heard sentence that a statement has to share
}

// place is one word, or one run of three, of a sentence.
type place struct {
	of  *sentence
	bit int
}

type statement struct {
	sentences []*sentence
	whole     bool // one foreign sentence is enough
}

// sentence is one sentence of a statement, and who has said how much of it.
type sentence struct {
	share   float64        // of the words, from which on it is taken from a text
	record  int            // what stands at later lines does not count
	words   int            // distinct ones
	grams   int            // distinct runs of three words
	met     [mostWords]int // where each word was met last, in the text at hand
	near    [voices]int    // most words that stood close together
	runs    [voices]uint64
	marked  bool // waits in Tracker.touched
	outside bool
	source  string // the file that it stands in
}

// New makes a tracker without statements.
func New() *Tracker {
	return &Tracker{words: map[uint32][]place{}, runs: map[uint32][]place{}, at: apart}
}

// Question is a statement whose origin is asked for.
type Question struct {
	Text   string
	Record int     // 0-based line of the transcript: texts of that line and those before it count
	Share  float64 // [Paraphrase] or [Quotation]
	Whole  bool    // every sentence of it has to be somebody's own, not only the first and most of it
}

// Ask adds a statement and gives its number.
func (t *Tracker) Ask(q Question) int {
	s := statement{whole: q.Whole}
	for paragraph := range strings.SplitSeq(q.Text, "\n") {
		for _, part := range prose.Sentences(paragraph) {
			t.ask(&s, part, &q)
		}
	}
	if len(s.sentences) == 0 {
		t.ask(&s, q.Text, &q)
	}
	t.statements = append(t.statements, s)
	return len(t.statements) - 1
}

// ask adds a sentence to a statement, unless it has too few words to be anybody's.
func (t *Tracker) ask(s *statement, text string, q *Question) {
	t.buf = sameness.AppendWords(t.buf[:0], text)
	x := &sentence{record: q.Record, share: q.Share, grams: min(mostWords, runsIn(t.buf))}
	known := map[uint32]bool{}
	for _, w := range t.buf {
		if !known[w] && x.words < mostWords {
			known[w] = true
			t.words[w] = append(t.words[w], place{x, x.words})
			x.words++
		}
	}
	for i := range x.grams {
		g := run(t.buf[i:])
		t.runs[g] = append(t.runs[g], place{x, i})
	}
	if x.words >= shortest {
		s.sentences = append(s.sentences, x)
	}
}

// runsIn returns the number of runs of three words.
func runsIn(words []uint32) int { return max(0, len(words)-2) }

// run is a hash of the first three of some words.
func run(words []uint32) uint32 { return (words[0]*31+words[1])*31 + words[2] }

// Hear takes in a text of the session at a line of the transcript. source is the file that
// it was read from, "" when it is none. What was heard counts as a passage only where it is
// a sentence of prose: that an agent names in its conclusion what stood close together in
// code is no quotation.
func (t *Tracker) Hear(v Voice, text, source string, record int) {
	if v == Heard {
		sentences(text, func(s string, prose bool) { t.unit(v, s, record, prose) })
	} else {
		t.unit(v, text, record, true)
	}
	for _, x := range t.touched {
		x.marked = false
		if v == Heard {
			x.judge(source)
		}
	}
	t.touched = t.touched[:0]
}

// judge makes a sentence a foreign one where it was heard before anybody said it.
func (x *sentence) judge(source string) {
	if !x.outside && x.heard() && !x.said() {
		x.outside, x.source = true, source
	}
}

// unit takes in a text whose words stand together, as a passage if it is one.
func (t *Tracker) unit(v Voice, text string, record int, passage bool) {
	t.buf = sameness.AppendWords(t.buf[:0], text)
	t.need = 0
	if v == Heard {
		t.need = int(heardShare * float64(len(t.buf)))
	}
	if passage {
		t.passage(v, record)
	}
	for i := range runsIn(t.buf) {
		t.run(run(t.buf[i:]), v, record)
	}
	t.at += apart
}

// passage takes in the words at hand.
func (t *Tracker) passage(v Voice, record int) {
	for _, w := range t.buf {
		for _, p := range t.words[w] {
			if record <= p.of.record {
				t.meet(p.of, p.bit, v)
			}
		}
		t.at++
	}
}

func (t *Tracker) run(g uint32, v Voice, record int) {
	for _, p := range t.runs[g] {
		if record <= p.of.record {
			p.of.runs[v] |= 1 << p.bit
			t.mark(p.of)
		}
	}
}

// meet notes a word of a sentence, and how many others stand close before it.
func (t *Tracker) meet(x *sentence, bit int, v Voice) {
	x.met[bit] = t.at
	from, n := max(0, t.at-2*x.words-fewWords), 0
	for _, at := range x.met[:x.words] {
		if at > from {
			n++
		}
	}
	if n > x.near[v] && n >= t.need {
		x.near[v] = n
		t.mark(x)
	}
}

func (t *Tracker) mark(x *sentence) {
	if !x.marked {
		x.marked = true
		t.touched = append(t.touched, x)
	}
}

// covers reports whether a share of the words stood close together in the words of v.
func (x *sentence) covers(v Voice, share float64) bool {
	n := x.near[v]
	return n >= min(fewWords, x.words) && float64(n) >= share*float64(x.words)
}

func (x *sentence) pieced(v Voice) bool {
	return x.grams >= fewWords && float64(bits.OnesCount64(x.runs[v])) >= runsShare*float64(x.grams)
}

func (x *sentence) heard() bool { return x.covers(Heard, x.share) || x.pieced(Heard) }

func (x *sentence) said() bool { return x.covers(Said, ownWords) || x.covers(Typed, ownWords) }

// Origin is the origin of statement n, the weakest of what it mainly says, and the file that
// it was read from, where it was read from one. Of a statement without a sentence that
// says anything it is none.
func (t *Tracker) Origin(n int) (origin, source string) {
	s := &t.statements[n]
	if len(s.sentences) == 0 {
		return "", ""
	}
	if x := s.foreign(); x != nil {
		return memory.OriginOutside, x.source
	}
	if slices.ContainsFunc(s.sentences, func(x *sentence) bool { return !x.covers(Typed, ownWords) }) {
		return memory.OriginAgent, ""
	}
	return memory.OriginPerson, ""
}

// foreign is the first foreign sentence of a statement that decides about it, or nil.
func (s *statement) foreign() *sentence {
	i := slices.IndexFunc(s.sentences, (*sentence).foreign)
	switch {
	case i < 0:
		return nil
	case i == 0, s.whole, s.mainlyForeign():
		return s.sentences[i]
	}
	return nil
}

// mainlyForeign reports whether foreign sentences are the whole of a statement, by their words.
func (s *statement) mainlyForeign() bool {
	words, foreign := 0, 0
	for _, x := range s.sentences {
		words += x.words
		if x.foreign() {
			foreign += x.words
		}
	}
	return float64(foreign) >= mainShare*float64(words)
}

// foreign reports whether a sentence was heard, and not typed by the person as well.
func (x *sentence) foreign() bool { return x.outside && !x.covers(Typed, ownWords) }
