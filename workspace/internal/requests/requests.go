// Package requests finds what a user asks for again and again, in other words each time:
// that a model does the work, that a skill is used, that main is pulled first.
//
// Call [Directives] for the sentences of a prompt that order something, and [Find] for
// what those of one session have in common with those of others. It goes by pairs of
// words that stand near each other, and knows no meaning. It promises that the same
// sentence counts once, however many transcripts hold it: a session that was forked or
// resumed repeats all that was said before.
package requests

import (
	"cmp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/sentence"
)

// Bounds of what is compared.
const (
	Sessions  = 3  // from which on something counts as repeated
	apart     = 6  // words between the two of a pair
	fewWords  = 3  // of a sentence
	mostWords = 40 // of one
	leading   = 10 // words of a sentence among which its verb stands
	overlap   = 2  // one in so many sentences in common makes two repeated requests one
)

// Said is a sentence of the user, and the session in which it was said.
type Said struct{ Session, Text string }

// Repeated names two words that orders of several sessions have in common.
type Repeated struct {
	Words [2]string // in the order of the alphabet
	Said  []Said    // one of each session, the latest last
}

// Directives are the sentences of a prompt that order something or object to what is done,
// without those that only ask or tell. They are English; others are passed over.
func Directives(prompt string) []string {
	var out []string
	for _, s := range prose.Sentences(strings.TrimSuffix(prompt, "…")) {
		words := wordsOf(s)
		if len(words) < fewWords || len(words) > mostWords {
			continue
		}
		if sentence.Objects(s) || orders(words, strings.HasSuffix(s, "?")) {
			out = append(out, strings.TrimSpace(s))
		}
	}
	return out
}

// wordsOf are the words of a sentence without its links, those with a hyphen apart.
func wordsOf(s string) []string {
	var kept []string
	for f := range strings.FieldsSeq(s) {
		if !strings.Contains(f, "://") {
			kept = append(kept, f)
		}
	}
	return prose.Words(strings.ReplaceAll(strings.Join(kept, " "), "-", " "))
}

func orders(words []string, asks bool) bool {
	switch words[0] {
	case "why", "what", "how", "when", "where", "who", "which", "is", "are", "was", "does", "did", "there", "there's", "theres", "that", "that's", "thats",
		"this", "it", "it's", "its", "the", "some", "still", "if", "i've", "i'm":
		return false
	case "can", "could", "would", "will", "shouldn't", "can't":
	default:
		if asks {
			return false
		}
	}
	return slices.ContainsFunc(words[:min(leading, len(words))], verb)
}

// verb reports whether a word orders work where it opens a clause.
func verb(w string) bool {
	switch w {
	case "add", "always", "analyse", "analyze", "answer", "ask", "avoid", "branch", "build", "check", "commit", "copy", "create", "delegate", "do", "document", "don't", "dont",
		"execute", "explain", "fix", "follow", "fold", "get", "go", "have", "implement", "include", "investigate", "keep", "let", "let's", "lets", "log", "make", "mark", "merge",
		"move", "never", "open", "prefer", "pull", "push", "put", "rebase", "remember", "remove", "rename", "reply", "resolve", "review", "rewrite", "run", "send", "start",
		"stop", "switch", "test", "update", "use", "validate", "verify", "want", "work", "write":
		return true
	}
	return false
}

// content are the words of a sentence that say what it is about, each with its place.
func content(words []string) (list []string, places []int) {
	for i, w := range words {
		if len(w) == 1 && (w[0] < '0' || w[0] > '9') || filler(w) || slices.Contains(list, w) {
			continue
		}
		list, places = append(list, w), append(places, i)
	}
	return list, places
}

func filler(w string) bool {
	switch w {
	case "the", "an", "and", "or", "of", "to", "in", "is", "are", "was", "were", "be", "been", "it", "its", "it's", "this", "that", "for", "with", "on", "as", "at", "by",
		"we", "you", "they", "our", "your", "from", "so", "if", "but", "do", "does", "did", "have", "has", "had", "will", "would", "can", "could", "should", "may", "might",
		"me", "my", "let", "us", "also", "please", "just", "now", "then", "not", "no", "yes", "yeah", "ok", "okay", "don't", "dont", "there", "here", "them", "these", "those",
		"what", "which", "when", "where", "how", "why", "all", "any", "some", "one", "more", "only", "like", "want", "need", "make", "made", "get", "got", "use", "using", "used",
		"go", "going", "see", "look", "way", "still", "than", "other", "into", "out", "up", "down", "over", "again", "back", "new", "good", "well", "let's", "lets", "sure",
		"think", "know", "put", "try", "before", "after", "first":
		return true
	}
	return false
}

// routine reports whether a word is of work of any kind: two of them say nothing of a
// repeated request.
func routine(w string) bool {
	switch strings.TrimSuffix(w, "s") {
	case "commit", "push", "pr", "pull", "request", "branch", "code", "file", "test", "issue", "fix", "fixe", "plan", "implement", "implementation", "change", "session", "continue",
		"add", "create", "update", "review", "work", "run", "build", "check", "done", "next", "phase", "task", "start", "following", "comment", "bug", "error", "ci", "analyse", "investigate":
		return true
	}
	return false
}

// Find returns what the directives of one session have in common with those of enough
// others, what most ask for first. Of two that mostly stand in the same sentences only
// the first is returned.
func Find(now, before []Said) []Repeated {
	type pair [2]string
	found, known := map[pair][]Said{}, map[string]bool{}
	take := func(s Said, fresh bool) {
		words := wordsOf(s.Text)
		if key := strings.Join(words, " "); known[key] {
			return
		} else if known[key] = true; len(words) > mostWords {
			return
		}
		list, places := content(words)
		for i := range list {
			for k := i + 1; k < len(list) && places[k]-places[i] <= apart; k++ {
				if routine(list[i]) && routine(list[k]) {
					continue
				}
				p := pair{min(list[i], list[k]), max(list[i], list[k])}
				if have := found[p]; (fresh || len(have) > 0) && !slices.ContainsFunc(have, func(x Said) bool { return x.Session == s.Session }) {
					found[p] = append(have, s)
				}
			}
		}
	}
	// What was said before comes first among what counts as known: a fork repeats it.
	repeated := map[string]bool{}
	for _, s := range before {
		repeated[strings.Join(wordsOf(s.Text), " ")] = true
	}
	for _, s := range now {
		if !repeated[strings.Join(wordsOf(s.Text), " ")] {
			take(s, true)
		}
	}
	for _, s := range before {
		take(s, false)
	}
	var all []Repeated
	for p, said := range found {
		if len(said) >= Sessions {
			slices.Reverse(said)
			all = append(all, Repeated{Words: p, Said: said})
		}
	}
	slices.SortStableFunc(all, func(a, b Repeated) int {
		return cmp.Or(cmp.Compare(len(b.Said), len(a.Said)), cmp.Compare(a.Words[0], b.Words[0]), cmp.Compare(a.Words[1], b.Words[1]))
	})
	var out []Repeated
	for _, h := range all {
		if !slices.ContainsFunc(out, h.like) {
			out = append(out, h)
		}
	}
	return out
}

// like reports whether two repeated requests mostly stand in the same sentences.
func (h Repeated) like(other Repeated) bool {
	same := 0
	for _, s := range h.Said {
		if slices.Contains(other.Said, s) {
			same++
		}
	}
	return same*overlap >= len(h.Said)
}

// In reports whether a text speaks of a repeated request.
func (h Repeated) In(text string) bool {
	words := wordsOf(text)
	return slices.Contains(words, h.Words[0]) && slices.Contains(words, h.Words[1])
}
