package sentence

import (
	"strings"
	"sync"

	"github.com/git-cortex/cortex/capture/prose"
)

// States reports whether a sentence states something: it has a verb that says what
// its subject is or does, or it begins with one, as an order. "File existence checks
// (`os.Stat()`)" and "New SDK initialization" do not. What stands in brackets
// does not count.
func States(s string) bool {
	words := prose.Words(strings.ReplaceAll(withoutBrackets(s), "`", ""))
	if len(words) == 0 {
		return false
	}
	if verbs()[words[0]] {
		return true
	}
	for i, w := range words {
		if auxiliary(w) {
			return true
		}
		if i == 0 || i == len(words)-1 {
			continue
		}
		if verbs()[w] && (i+1 < len(words) && follows(words[i+1]) || plural(words[i-1])) {
			return true
		}
		if follows(words[i+1]) && len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss") && !determines(words[i-1]) {
			return true // "captures the schema"
		}
		for _, form := range []string{strings.TrimSuffix(w, "s"), strings.TrimSuffix(w, "es"), strings.TrimSuffix(w, "ies") + "y"} {
			if form != w && verbs()[form] && !determines(words[i-1]) {
				return true
			}
		}
	}
	return false
}

// Subjectless holds for a sentence that begins with its verb where nobody is told to do
// something: "Does not call the hook", "Should block at once", "Uses `TOKEN` for it", "To
// accept a key and return it". What it speaks of stands above it.
func Subjectless(s string) bool {
	first, rest, _ := strings.Cut(s, " ")
	first = strings.ToLower(first)
	switch first {
	case "only", "also", "then", "still", "always":
		return rest != "" && Subjectless(rest)
	case "should", "shouldn't", "does", "doesn't", "has", "can", "can't", "cannot", "will", "won't", "would", "must", "is", "isn't", "are", "aren't", "was", "were":
		return !strings.HasSuffix(s, "?")
	case "to":
		return !strings.Contains(s, ", ")
	}
	if !strings.HasSuffix(first, "s") || strings.HasSuffix(first, "ss") || rest == "" {
		return false
	}
	for _, form := range []string{strings.TrimSuffix(first, "s"), strings.TrimSuffix(first, "es"), strings.TrimSuffix(first, "ies") + "y"} {
		if form != first && verbs()[form] {
			second := strings.ToLower(strings.TrimRight(prose.FirstWord(rest), ",.;:"))
			return rest[0] == '`' || rest[0] == '"' || follows(second) || !verbs()[second] && !auxiliary(second) && !joins(second)
		}
	}
	return false
}

// joins reports whether a word behind a noun says more of it.
func joins(w string) bool {
	switch w {
	case "of", "to", "in", "on", "for", "from", "with", "at", "by", "and", "or", "without", "per", "between", "under", "over":
		return true
	}
	return false
}

// plural reports whether a word looks like a noun in the plural, or stands for one.
func plural(w string) bool {
	switch w {
	case "i", "you", "we", "they", "people", "to", "and", "or", "not", "also", "never", "always", "only", "then", "both", "all":
		return w != "to" && w != "and" && w != "or"
	}
	return len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss")
}

// follows reports whether a word can only stand behind a verb, not behind a noun that
// is spelled like one.
func follows(w string) bool {
	switch w {
	case "the", "a", "an", "it", "its", "this", "that", "them", "no", "all", "every", "each", "only", "nothing", "both", "any", "what", "which":
		return true
	}
	return false
}

// determines reports whether a word stands before a noun.
func determines(w string) bool {
	switch w {
	case "the", "a", "an", "of", "for", "with", "in", "on", "by", "to", "from", "this", "these", "those", "all", "no", "its", "their", "our", "your", "new", "more", "some", "any", "two", "three":
		return true
	}
	return false
}

// auxiliary reports whether a word is one of the verbs that carry most statements.
func auxiliary(w string) bool {
	switch w {
	case "is", "are", "was", "were", "be", "isn't", "aren't", "wasn't", "weren't", "it's", "that's", "there's", "has", "have", "had", "hasn't", "haven't",
		"does", "doesn't", "do", "don't", "did", "didn't", "can", "can't", "cannot", "could", "couldn't", "will", "won't", "would", "wouldn't", "should",
		"shouldn't", "must", "mustn't", "may", "might", "never", "became", "went", "came", "broke", "lost", "got", "gave", "took", "ran", "held", "left", "kept",
		"chose", "made", "meant", "stood", "threw", "saw", "found", "we're", "they're", "you're", "caught", "brought", "built", "sent", "fell", "led", "wrote":
		return true
	}
	return false
}

// verbs are the verbs of which sessions speak, in their plain form.
var verbs = sync.OnceValue(func() map[string]bool {
	out := map[string]bool{}
	for w := range strings.FieldsSeq(`accept access add adapt affect aim allow answer append apply arrive ask assert assume attach avoid await bail become begin behave
		belong bind blank block borrow break bring build bump bypass cache call cancel carry catch cause change check choose claim clamp clean clear clip clone close collapse
		collect combine come commit compare compile complain compute confirm configure conflict connect consume contain convert copy correspond count cover crash create cut deal
		decide declare decode decrypt default defer define degrade delete deliver demand depend derive describe deserve detach detect differ disable discard dispatch display document
		drain drive drop duplicate emit embed enable encode encrypt encourage end enforce enroll ensure enter erode escape evaluate exceed exclude execute exist exit expand
		expect expire explain expose extend extract fail fall fetch fill filter find finish fire fit fix flatten flow flush fold follow force forget fork format forward free
		freeze gate generate get give go grab grant group grow guarantee guard handle hang happen have hide hit hold hook ignore impact imply import include increase
		indicate inherit init initialise initialize inject insert install interact invoke issue join keep key kill know lack land last lead leak leave let lift limit link
		lint list live load lock log look loop lose lower make map mark mask match matter mean merge migrate mind mirror miss mock modify mount move mutate name need nest note
		occur offer omit open order orchestrate overwrite own override pack panic parse pass persist pick pin pipe place plan point pop populate post prefer prepend preserve prevent
		print produce prompt propagate protect prove provide prune publish pull push put query quote race raise reach read reappear rebuild receive recognise recognize record recover redirect
		reduce refer reference reflect refresh refuse regenerate register reject release rely reload remain remember remove rename render replace report represent require
		reserve reset resolve resort respect respond restart restore restrict retain retry return reuse reveal revert revoke rewrite roll rotate route run sanitize save say
		scale scan schedule scope search see seed select send separate serialize serve set share shift ship show shut sign silence simplify skip sleep solve sort spawn specify split stage
		stand start stay stem stop store stream strip stub submit succeed suffer suggest support suppress surface survive suspend swap switch sync synchronize synthesize take talk target tell
		terminate test throw time track transform translate treat trigger trim trip trust try turn unblock unify unwrap update upgrade upload use validate vanish vary verify
		wait walk want warn waste watch wipe work wrap write yield`) {
		out[w] = true
	}
	return out
})
