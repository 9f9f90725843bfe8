package suspicion

import (
	"encoding/base64"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/git-cortex/cortex/internal/lazy"
)

// Bounds of what is decoded of one text.
const (
	leastEncoded = 16   // letters that are tried
	mostRuns     = 4000 // runs of letters that are looked at
	mostJoined   = 40   // lines or words that are taken for one
	deepest      = 3    // of base64 in base64
)

// command is how a line for a shell begins.
var command = lazy.Pattern(`(^|[;&|(]\s*|\n\s*)(sudo\s+)?(curl|wget|ba?sh|zsh|rm|nc|ncat|python3?|perl|node|` +
	`eval|exec|powershell|pwsh|chmod|ssh|scp|iex|source)\s+\S`)

// decodedOrders says what base64 in a text holds that is a command or an order.
func decodedOrders(text string, depth int) []string {
	if depth == deepest {
		return nil
	}
	for _, hidden := range decoded(text) {
		if command().MatchString(hidden) {
			return []string{"holds a command in base64"}
		}
		if len(ordersAt(hidden, depth+1)) > 0 {
			return []string{"holds orders in base64"}
		}
	}
	return nil
}

// decoded are the texts that base64 in a text stands for, also where it is broken over
// lines.
func decoded(text string) []string {
	runs := runsOf(text)
	var out []string
	for i := 0; i < len(runs); i++ {
		joined, last := "", i
		for j := i; j < len(runs) && j-i < mostJoined; j++ {
			if j > i && !brokenOff(text[runs[j-1].end:runs[j].start]) {
				break
			}
			run := text[runs[j].start:runs[j].end]
			joined += run
			if hidden, ok := decode(joined); ok {
				out, last = append(out, hidden), j
			}
			if !encoded(run) {
				break // only the last one may look like a word
			}
		}
		i = last
	}
	return out
}

// run is where letters of base64 stand in a row.
type run struct{ start, end int }

// isEncoding reports whether a character is one that base64 is written with, or its form for addresses.
func isEncoding(r rune) bool { return isPlain(r) || strings.ContainsRune("+/_=-", r) }

func isSpaced(r rune) bool { return !isEncoding(r) }

// leastRun is how many letters of base64 in a row are looked at.
const leastRun = 4

// runsOf finds the runs of a text, but those that are too short to count.
func runsOf(text string) []run {
	var out []run
	for end := 0; end < len(text); {
		start := len(text) - len(strings.TrimLeftFunc(text[end:], isSpaced))
		end = len(text) - len(strings.TrimLeftFunc(text[start:], isEncoding))
		if end-start >= leastRun {
			out = append(out, run{start, end})
		}
	}
	return out[:min(len(out), mostRuns)]
}

// encoded reports whether a run is no word of a language: it is long, or has digits or
// capital letters inside.
func encoded(run string) bool {
	return len(run) >= leastEncoded || strings.ContainsAny(run[1:], "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")
}

// brokenOff reports whether what stands between two runs may be a line break in one of them.
func brokenOff(between string) bool {
	return len(between) < 16 && strings.Trim(between, " \t\r\n\\>\"'+|") == ""
}

// standard makes the common form of base64 of that for addresses, without the marks at its end.
var standard = lazy.Value(func() *strings.Replacer { return strings.NewReplacer("-", "+", "_", "/", "=", "") })

// decode returns the text that base64 stands for, if it is one that a person can read.
func decode(s string) (string, bool) {
	if len(s) < leastEncoded {
		return "", false
	}
	s = standard().Replace(s)
	if len(s)%4 == 1 {
		s = s[:len(s)-1]
	}
	data, err := base64.RawStdEncoding.DecodeString(s)
	if err != nil || !utf8.Valid(data) {
		return "", false
	}
	text := string(data)
	return text, !strings.ContainsFunc(text, isControl)
}

// isControl reports whether a person cannot read a character.
func isControl(r rune) bool { return !unicode.IsPrint(r) && !unicode.IsSpace(r) }
