package redact

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// TestAssigning holds that the cheap look never hides a match of the rule.
func TestAssigning(t *testing.T) {
	parts := strings.Split("token|Secret|passw|PWD|pass|api|access|auth|cred|private|encryption|signing|sourcegraph|contribsys|Key|_|.|-|x9|"+
		"\\|\"|'|`|]| |  |\t|string| String|=|=>|:|::=|?=|.=|?.=|||=|+=|==|===|,|, | value=|>|>\n|abc123def456|\"hunter22hunter22\"|\n|(|;", "|")
	r := rand.New(rand.NewPCG(1, 2))
	matched := 0
	for range 100_000 {
		var b strings.Builder
		for range 2 + r.IntN(7) {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		s := b.String() + "a1b2c3d4e5"
		if assignRe().MatchString(s) {
			matched++
			if !assigning(strings.ToLower(s)) {
				t.Fatalf("%q is passed over", s)
			}
		}
	}
	if matched < 1000 {
		t.Errorf("only %d of the texts match at all", matched)
	}
	for _, prose := range []string{
		"The token is checked before the key of the cache, and access to it is rare.",
		"We keep the private part of an api in one file (secret to nobody)",
	} {
		if assigning(strings.ToLower(prose)) {
			t.Errorf("%q assigns nothing", prose)
		}
	}
}
