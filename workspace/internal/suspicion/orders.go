package suspicion

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/memory"
)

// suspicion is one way in which a memory speaks to an agent as its user or its
// harness would, instead of saying what is so.
type suspicion struct {
	says  string     // what it does, in words
	words [][]string // of each list, one is in every match; they cost little to look for
	match *regexp.Regexp
}

// orders are verbs with which a text for an agent gives an order.
const orders = `(ignore|disregard|forget|approve|accept|push|merge|run|execute|call|delete|remove|send|post|upload|reveal|print|reply|respond|answer|act|obey|follow|install|download|disable|skip)`

// suspicions are kept to what a memory about a project has no reason to say. They stop
// nobody who words it otherwise: what agents are given is labelled as evidence all the
// same, and a reviewer reads it first.
var suspicions = sync.OnceValue(func() []suspicion {
	expr := func(says, pattern string, words ...[]string) suspicion {
		return suspicion{says, words, regexp.MustCompile(pattern)}
	}
	return []suspicion{
		expr("asks an agent to ignore its instructions",
			`\b(ignore|disregard|forget|override|bypass)\b[^.\n]{0,40}\b((previous|prior|above|earlier|preceding|system|developer|all other|existing)\s+(instructions|prompts?|directions|guidelines|system messages?)|(above|your|prior) rules)\b`,
			[]string{"instructions", "prompt", "directions", "guidelines", "system message", "above rules", "your rules", "prior rules"},
			[]string{"ignore", "disregard", "forget", "override", "bypass"}),
		expr("speaks as a system prompt",
			// With a colon alone it may be a heading: "System: Debian 12".
			`(^|\n)\s*(\[(system|developer|assistant)( prompt| message)?\]|(system|developer|assistant) (prompt|message):|(system|developer|assistant):[^\n]{0,80}\b(you|your|must|always|never|do not|don't)\b|(system|developer|assistant):\s*(please\s+)?`+orders+`\b|new (system )?instructions:)|\bnew system prompt\b|\byou are now (a|an|in \w+ mode|the|no longer)\b`,
			[]string{"system", "developer", "assistant", "new instructions:", "you are now"},
			[]string{":", "]", "new system prompt", "you are now"}),
		expr("asks for the prompt of an agent",
			`\b(reveal|print|repeat|output|show|leak|disclose)\b[^.\n]{0,30}\b(your|the) (system|hidden|initial|original) (prompt|instructions|message)`,
			[]string{"prompt", "instructions", "message"},
			[]string{"the system", "your system", "hidden", "initial", "original"}),
		expr("asks an agent to keep something from the user",
			`\b(do not|don't|never|without)\s+(tell|telling|inform|informing|mention(ing)?|alert|alerting|notify|notifying|ask|asking)\b[^.\n]{0,30}\b(user|human|developer|reviewer|operator|maintainer)s?([^'’a-z]|$)`,
			[]string{"do not", "don't", "never", "without"},
			[]string{"tell", "inform", "mention", "alert", "notify", "ask"}),
		expr("runs what it downloads",
			// Without an address it is spoken of: "curl … | sh".
			`\b(curl|wget)\b[^\n|]{0,120}(://|\b[\w-]+\.[a-z]{2,}/|\$)[^\n|]{0,200}\|\s*(sudo\s+)?(ba|z|da|k)?sh\b|\b(base64)\s+(-d|-D|--decode)\b[^\n|]{0,80}\|\s*(sudo\s+)?(ba|z|da|k)?sh\b`,
			[]string{"|"}, []string{"curl", "wget", "base64"}),
		expr("sends secrets away",
			`\b(send|post|upload|exfiltrate|forward|email|transmit)\b[^.\n]{0,60}\b(secrets?|credentials?|passwords?|api keys?|tokens?|private keys?|ssh keys?|environment variables|\.env)\b[^.\n]{0,60}\b(to|at)\s+(https?://|\S+@\S+\.)`,
			[]string{"://", "@"},
			[]string{"secret", "credential", "password", "key", "token", "environment", ".env"}),
		expr("turns off what guards the user",
			`--dangerously-skip-permissions|--dangerously-bypass-approvals|--yolo\b|\b(always|automatically) (approve|accept|allow) (all|any|every) (tool|command|permission|request|edit)`,
			[]string{"--dangerously", "--yolo", "always ", "automatically "}),
	}
})

// Orders says what of a text an agent might take for orders, each as what follows "it";
// nil for nothing.
func Orders(text string) []string {
	text = strings.ToLower(memory.Clean(text))
	var out []string
	for _, s := range suspicions() {
		if s.mayMatch(text) && s.match.MatchString(text) {
			out = append(out, s.says)
		}
	}
	return out
}

// mayMatch reports whether a text holds one word of each list.
func (s *suspicion) mayMatch(text string) bool {
	for _, list := range s.words {
		if !slices.ContainsFunc(list, func(word string) bool { return strings.Contains(text, word) }) {
			return false
		}
	}
	return true
}
