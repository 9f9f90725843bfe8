package suspicion

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
)

// tokenHeads are how tokens of well-known services begin.
func tokenHeads() []string {
	return []string{
		"ghp_", "gho_", "ghu_", "ghs_", "ghr_", "github_pat_", "glpat-", "sk_live_", "rk_live_", "sk-",
		"xoxa-", "xoxb-", "xoxp-", "xoxo-", "xoxr-", "xoxs-", "AKIA", "ASIA", "AIza", "npm_", "pypi-", "hf_",
		"dop_v1_", "shpat_",
	}
}

// tokenHead finds how one begins, with what follows of one that is cut off.
var tokenHead = lazy.Pattern(`\b(` + strings.Join(tokenHeads(), "|") + `)([A-Za-z0-9_-]*)`)

// tokenTail finds a word that may be the rest of one.
var tokenTail = lazy.Pattern(`[A-Za-z0-9_]{6,}`)

// Lengths of a token that was taken apart, without how it begins.
const (
	wholeToken = 16  // of a first part that is a token by itself
	leastToken = 20  // of all parts
	tailWithin = 120 // bytes behind the first part
)

// pieces reports whether a text holds a token in parts, for whoever puts them together.
func pieces(text string) bool {
	if !slices.ContainsFunc(tokenHeads(), func(head string) bool { return strings.Contains(text, head) }) {
		return false
	}
	for _, at := range tokenHead().FindAllStringSubmatchIndex(text, -1) {
		have := at[5] - at[4]
		if have >= wholeToken {
			continue // it is whole, or looked for as that
		}
		rest := text[at[1]:min(len(text), at[1]+tailWithin)]
		for _, tail := range tokenTail().FindAllString(rest, -1) {
			if random(tail) {
				have += len(tail)
			}
		}
		if have >= leastToken {
			return true
		}
	}
	return false
}

// random reports whether a word has letters and digits, and is no number of hexadecimal
// digits, as commits have.
func random(word string) bool {
	return strings.ContainsAny(word, "0123456789") && strings.ContainsAny(strings.ToLower(word), "ghijklmnopqrstuvwxyz")
}
