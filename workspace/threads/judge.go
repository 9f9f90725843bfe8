package threads

import (
	_ "embed" // words of reviewers
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
)

//go:embed cues.tsv
var cueFile string

var lexicon = lazy.Value(func() *prose.Lexicon { return prose.ReadLexicon(cueFile) })

func begins(class string, words []string) bool { return lexicon().Begins(class, words) > 0 }
func has(class string, words []string) bool    { return lexicon().In(class, words) }

// Bounds of a judgement, in words and in signs.
const (
	fewest      = 4 // a comment of fewer words is about the lines that it stands at
	explained   = 7 // words of a reply that says more than that it was done
	leastReason = 4 // words of a reply that turns something down
	standsFor   = 2 // signs that a comment speaks of more than its lines
)

// said holds the words of a comment, without code, quotations and suggested lines.
type said struct {
	at        *Comment
	text      string
	sentences []string
	words     []string
}

func say(c *Comment) said {
	text := strings.TrimSpace(strings.Join(prose.Lines(c.Body), " "))
	return said{at: c, text: text, sentences: prose.Sentences(text), words: prose.Words(text)}
}

// asks reports whether the first sentence is a question.
func (s *said) asks() bool { return len(s.sentences) > 0 && strings.HasSuffix(s.sentences[0], "?") }

// suggests reports whether the comment holds lines to apply.
func (s *said) suggests() bool { return strings.Contains(s.at.Body, "```suggestion") }

// Verdict says which memory a thread teaches.
type Verdict struct {
	Type  memory.Type // "" for none
	Why   string      // why it teaches one, or none
	Title string
	Text  string
	By    []*Comment // whose words it holds
}

// review is a thread as it is judged.
type review struct {
	thread  *Thread
	opener  said
	replies []said // of people other than the one who opened it
	changed bool   // its lines changed since, as git says
}

// Judge says what a thread teaches. Changed says whether git knows that its lines changed since.
func (th *Thread) Judge(changed bool) Verdict {
	r := review{thread: th, opener: say(&th.Comments[0]), changed: changed}
	others := lists.Where(pointers(th.Comments), func(c *Comment) bool { return c.By != r.opener.at.By && !c.Bot })
	for _, c := range others {
		r.replies = append(r.replies, say(c))
	}
	if why := r.opener.empty(); why != "" {
		return Verdict{Why: why}
	}
	if r.followed() {
		return r.lesson()
	}
	return r.refusal()
}

// empty says why a comment teaches nothing, whatever followed; "" if it may.
func (s *said) empty() string {
	switch {
	case s.at.Bot:
		return "a bot said it"
	case len(s.words) == 0, len(s.words) < fewest && !s.asks():
		return "it says nothing by itself"
	case begins("trivial", s.words):
		return "it asks for nothing lasting"
	}
	return ""
}

// followed reports whether a change followed the comment.
func (r *review) followed() bool {
	seen := r.thread.Moved || r.thread.Applied || r.changed
	return seen || slices.ContainsFunc(r.replies, said.isDone)
}

// commitName finds the name of a commit, as people type it.
var commitName = lazy.Pattern(`\b[0-9a-f]{7,40}\b`)

// isDone reports whether a reply says that it was done, in a few words or by naming the commit.
func (s said) isDone() bool {
	short := len(s.words) < explained && begins("done", s.words)
	return short || commitName().MatchString(s.at.Body)
}

// answer is the reply that says most; the zero reply for none.
func (r *review) answer() said {
	return slices.MaxFunc(append([]said{{}}, r.replies...), func(a, b said) int { return len(a.words) - len(b.words) })
}

// lesson is the verdict of a thread that a change followed.
func (r *review) lesson() Verdict {
	if answer := r.answer(); answer.settles() && r.opener.proposes() {
		return Verdict{
			Type: memory.Decision, Why: "another way was weighed, and lines changed", Title: answer.point(),
			Text: "Asked: " + r.opener.text + "\n\n" + answer.text, By: []*Comment{answer.at, r.opener.at},
		}
	}
	if r.opener.standing() < standsFor {
		return Verdict{Why: "it is about these lines alone"}
	}
	return Verdict{
		Type: memory.Preference, Why: "it speaks of more than these lines, and they changed",
		Title: r.opener.point(), Text: r.opener.text, By: []*Comment{r.opener.at},
	}
}

// proposes reports whether a comment asks whether another way would be better.
func (s *said) proposes() bool {
	return s.suggests() || slices.ContainsFunc(s.sentences, isProposal)
}

// isProposal reports whether a sentence proposes something, and does not only want to be told.
func isProposal(sentence string) bool {
	words := prose.Words(sentence)
	return has("proposal", words) || strings.HasSuffix(sentence, "?") && !begins("asking", words)
}

// settles reports whether a reply says which way was taken, and more than that.
func (s *said) settles() bool {
	return len(s.words) >= explained && (has("choice", s.words) || has("reason", s.words) || s.goesOn())
}

// goesOn reports whether a second sentence or clause explains the first.
func (s *said) goesOn() bool {
	return len(s.sentences) > 1 || strings.Contains(s.text, ": ") || strings.Contains(s.text, "; ")
}

// standing counts the signs that a comment speaks of more than the lines that it stands at.
func (s *said) standing() int {
	first := lexicon().Without("courtesy", s.words)
	signs := []struct {
		worth int
		there bool
	}{
		{2, has("standing", s.words)},
		{1, begins("order", first)},
		{1, has("reason", s.words)},
		{1, s.goesOn()},
		{1, isKind(first[0])},
		{1, s.suggests()},
		{-1, begins("these", first)},
		{-2, s.asks()},
	}
	n := 0
	for _, sign := range signs {
		if sign.there {
			n += sign.worth
		}
	}
	return n
}

// plural finds a word that may be the plural of a thing: a sentence on all of them begins so.
var plural = lazy.Pattern(`^\pL{3,}[^s\PL]s$`)

func isKind(word string) bool { return plural().MatchString(word) }

// refusal is the verdict of a thread that no change followed.
func (r *review) refusal() Verdict {
	answer := r.answer()
	switch {
	case len(r.replies) == 0:
		return Verdict{Why: "nothing followed it"}
	case !r.opener.proposes(), r.opener.wantsToKnow():
		return Verdict{Why: "it proposes nothing"}
	case len(answer.words) < leastReason, !has("refusal", answer.words):
		return Verdict{Why: "nobody turned it down with a reason"}
	case !r.closed():
		return Verdict{Why: "it is not settled"}
	}
	return Verdict{
		Type: memory.Rejected, Why: "it was turned down with a reason, and no line changed",
		Title: "Turned down: " + r.opener.point(), Text: answer.text, By: []*Comment{answer.at, r.opener.at},
	}
}

// wantsToKnow reports whether a comment begins as a question that only wants to be told something.
func (s *said) wantsToKnow() bool { return begins("asking", s.words) && !begins("proposal", s.words) }

// closed reports whether a thread is at its end: it was resolved, the answer stands last, or who
// opened it accepted the answer.
func (r *review) closed() bool {
	last := say(&r.thread.Comments[len(r.thread.Comments)-1])
	return r.thread.Resolved || last.at.By != r.opener.at.By || begins("accepted", last.words)
}

// point is the sentence that says what a comment is about: the first that says more than that somebody
// agrees or did it.
func (s *said) point() string {
	for _, sentence := range s.sentences {
		if len(prose.Words(sentence)) >= fewest {
			return strings.TrimRight(sentence, ".?! ")
		}
	}
	return strings.TrimRight(s.text, ".?! ")
}
