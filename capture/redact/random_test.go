package redact

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// randomPassword draws a password as people and generators make them: letters, digits, and marks
// that are operators as well. Every other one is a word, a number, a mark, a digit and letters.
func randomPassword(r *rand.Rand, n int) string {
	const lower, digits, marks = "abcdefghijklmnopqrstuvwxyz", "0123456789", "!#%+"
	const letters = lower + "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	draw := func(from string, n int) string {
		var b strings.Builder
		for range n {
			b.WriteByte(from[r.IntN(len(from))])
		}
		return b.String()
	}
	if n%2 == 0 {
		return draw(lower, 3+r.IntN(4)) + draw(digits, 3) + draw(marks, 1) + draw(digits, 1) + draw(letters, 2)
	}
	for {
		v := draw(letters+digits+marks, 8+r.IntN(7))
		if strings.ContainsAny(v, letters) && strings.ContainsAny(v, digits) && strings.ContainsAny(v, marks) {
			return v
		}
	}
}

// randomPasswords are how many passwords each form must take out.
const randomPasswords = 200

// TestRandomPasswords: where the words around it name a password, none is taken for a sum, a
// version or a unit.
func TestRandomPasswords(t *testing.T) {
	password := regexp.MustCompile(`@(?:HUNT|WEAK|ZEBRA|STRONG)@`)
	command := regexp.MustCompile(`^(?:aws|composer|cryptsetup|gh|git|poetry|sudo) `) // "#" begins a comment there
	r := rand.New(rand.NewPCG(7, 26))
	for line := range strings.Lines(structuredForms) {
		form := strings.TrimRight(line, "\n")
		if strings.HasPrefix(form, "# ") || !password.MatchString(form) {
			continue
		}
		form = strings.NewReplacer("«", "", "»", "", `\n`, "\n").Replace(form)
		kept := []string{}
		for n := range randomPasswords {
			v := randomPassword(r, n)
			if v[0] == '#' && command.MatchString(form) {
				continue
			}
			if got, _ := String(password.ReplaceAllLiteralString(form, v)); strings.Contains(got, v) {
				kept = append(kept, v)
			}
		}
		if len(kept) > 0 {
			t.Errorf("%q keeps %d of %d: %.200s", form, len(kept), randomPasswords, fmt.Sprint(kept))
		}
	}
}
