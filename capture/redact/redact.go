// Package redact finds secrets in text and takes them out.
//
// Call [String] for the kinds that are known, or make a [Redactor] with [New]
// where a user has patterns of their own. It promises: text without secrets
// comes back as it is; what was redacted once is not changed by redacting it
// again; where a secret stood, its kind is named. It errs on the side of
// leaving a word alone: a commit id, a UUID, a checksum or a placeholder is not
// a secret unless its context says so.
//
// The known token formats are one table, in rules.go. Values that a name such
// as "password" gives away are in assign.go. A Redactor does not change once it
// is made, and the package keeps no other state but expressions compiled at
// first use, so everything here may be called by several goroutines at once.
//
// A user's patterns come from the setting cortex.secret, see "Settings" in
// FORMAT.md.
package redact

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/memory"
)

// Secret says what kind of secret stood where.
type Secret struct {
	Kind       string // "aws-access-key", "private-key", …
	Start, End int    // bytes of the input
}

// Redactor finds secrets: the known kinds, and what the user's own patterns
// describe. Nil and the zero value know no patterns. It is safe for concurrent
// use once made.
type Redactor struct{ own []*regexp.Regexp }

// maxPatterns and patternSize bound what a user's configuration can cost.
const (
	maxPatterns = 64
	patternSize = 1 << 10 // bytes
)

// New makes a redactor of a user's patterns: RE2 expressions, each
// matching a secret or, where it has a group, the text around one, of which
// the first group is the secret. A pattern that cannot be used is left out and
// named among the errors; the redactor works in any case.
func New(patterns []string) (*Redactor, []error) {
	r := &Redactor{}
	var bad []error
	for i, p := range patterns {
		switch {
		case i >= maxPatterns:
			return r, append(bad, fmt.Errorf("reading patterns of secrets: %d are given, the limit is %d", len(patterns), maxPatterns))
		case p == "" || len(p) > patternSize:
			bad = append(bad, fmt.Errorf("reading pattern %d of secrets: it has %d bytes, 1 to %d are allowed", i+1, len(p), patternSize))
			continue
		}
		re, err := regexp.Compile(p)
		if err != nil { // the error repeats the pattern, which may hold a secret
			bad = append(bad, fmt.Errorf("reading pattern %d of secrets: it is not a regular expression (RE2)", i+1))
			continue
		}
		r.own = append(r.own, re)
	}
	return r, bad
}

// String is [Redactor.Redact] without patterns of the user's.
func String(s string) (string, []Secret) { return (*Redactor)(nil).Redact(s) }

// Redact replaces every secret in s by "[redacted: kind]" and says what it
// found, in order. Text without secrets comes back as it is.
//
// Known token formats, private keys, credentials in URLs and headers,
// assignments to names such as "token" or "password", and what the user's
// patterns match are secrets; placeholders, variables, commit ids, UUIDs and
// checksums outside such a context are not.
func (r *Redactor) Redact(s string) (string, []Secret) {
	found := secretsIn(s)
	if r != nil && len(r.own) > 0 {
		found = ordered(s, append(found, r.matches(s)...))
	}
	if len(found) == 0 {
		return s, nil
	}
	var b strings.Builder
	at := 0
	for _, x := range found {
		b.WriteString(s[at:x.Start])
		b.WriteString("[redacted: " + x.Kind + "]")
		at = x.End
	}
	b.WriteString(s[at:])
	return b.String(), found
}

// Text is s without its secrets.
func (r *Redactor) Text(s string) string {
	s, _ = r.Redact(s)
	return s
}

// Line is s as one line without its secrets: the form in which any text
// enters a record.
func (r *Redactor) Line(s string) string {
	if len(s) > 4<<10 {
		s = s[:4<<10]
	}
	return memory.OneLine(memory.Clean(r.Text(s)))
}

// matches adds what the user's patterns find; what matches nothing, or what
// was redacted before, is passed over.
func (r *Redactor) matches(s string) []Secret {
	var found []Secret
	for _, re := range r.own {
		for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
			from, to := m[0], m[1]
			if len(m) >= 4 && m[2] >= 0 {
				from, to = m[2], m[3]
			}
			if to > from {
				found = append(found, Secret{"custom", from, to})
			}
		}
	}
	return found
}

// secretsIn finds secrets, ordered and without overlaps.
func secretsIn(s string) []Secret {
	if len(s) < 8 {
		return nil
	}
	lower := strings.ToLower(s)
	if len(lower) != len(s) { // a few letters change length: offsets must not
		lower = asciiLower(s)
	}
	found := matches(nil, s, lower, 0, true)
	for from := 0; from < len(s); {
		to := lineEnd(s, from)
		line := s[from:to]
		token, mixed := runs(line)
		if token {
			found = matches(found, line, lower[from:to], from, false)
		}
		if strings.HasSuffix(strings.TrimRight(line, " \r\n"), ">") { // an element may have its value on the next line
			next := lineEnd(s, to)
			if _, more := runs(s[to:next]); more {
				line, mixed = s[from:next], true
			}
		}
		if mixed || strings.Contains(lower[from:to], "pass") || strings.Contains(lower[from:to], "pwd") {
			found = assignments(found, line, lower[from:from+len(line)], from)
		}
		from = to
	}
	return ordered(s, found)
}

// ordered sorts secrets, joins those that overlap, and drops what an earlier
// redaction wrote.
func ordered(s string, found []Secret) []Secret {
	if len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b Secret) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	out := found[:0]
	end := 0
	for _, x := range found {
		switch {
		case x.Start >= end && !redactedBefore(s, x):
			out = append(out, x)
			end = x.End
		case len(out) > 0 && x.Start < end && x.End > end:
			out[len(out)-1].End, end = x.End, x.End
		}
	}
	return slices.Clone(out)
}

// redactedBefore holds for a finding at, or within, "[redacted: kind]".
func redactedBefore(s string, x Secret) bool {
	from := max(0, x.Start-40)
	open := strings.LastIndexByte(s[from:x.Start+1], '[')
	if open < 0 || !strings.HasPrefix(s[from+open:], "[redacted:") {
		return false
	}
	shut := strings.IndexByte(s[from+open:], ']')
	return shut < 0 || from+open+shut >= x.Start
}

func lineEnd(s string, from int) int {
	if i := strings.IndexByte(s[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(s)
}

// matches adds what the known formats find in s, which starts at base of the
// whole text: those that need no long token in it, or those that do.
func matches(found []Secret, s, lower string, base int, short bool) []Secret {
	for i := range secretRules() {
		r := &secretRules()[i]
		if r.short != short || !r.gated(lower) {
			continue
		}
		for _, m := range r.re().FindAllStringSubmatchIndex(s, -1) {
			from, to := m[0], m[1]
			if len(m) >= 4 && m[2] >= 0 {
				from, to = m[2], m[3]
			}
			if r.check == nil || r.check(s[from:to]) {
				found = append(found, Secret{r.kind, base + from, base + to})
			}
		}
	}
	return found
}

// runs says in one pass whether s holds anything that could be a token, 16 and
// more characters without a gap with a digit among them, and whether it holds
// anything that could be the value of an assignment. Most prose holds neither.
func runs(s string) (token, mixed bool) {
	n, digits := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			digits++
			n++
		case c >= 'a' && c <= 'z', c >= 'A' && c <= 'Z', c == '_', c == '-', c == '=', c == '.', c == '~', c == ':', c == '|', c == '%', c == '+':
			n++
		default:
			n, digits = 0, 0
			continue
		}
		token = token || n >= 16 && digits > 0 || n >= 32
		mixed = mixed || n >= 8 && digits > 0 || n >= 20
		if token {
			return true, true
		}
	}
	return token, mixed
}

func asciiLower(s string) string {
	b := []byte(s)
	for i, c := range b {
		if c >= 'A' && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// gated reports whether a keyword of the rule is there at all.
func (r *secretRule) gated(lower string) bool {
	for _, k := range r.keywords {
		if strings.Contains(lower, k) {
			return true
		}
	}
	return false
}

// placeholder holds for values that stand for a secret without being one.
func placeholder(v string) bool {
	if strings.ContainsAny(v, "<>{}$") && (strings.Contains(v, "${") || strings.Contains(v, "{{") || strings.Contains(v, "$(") ||
		strings.HasPrefix(v, "$") || strings.HasPrefix(v, "<") || strings.HasPrefix(v, "{")) {
		return true
	}
	if strings.HasPrefix(v, "%") && strings.HasSuffix(v, "%") || strings.HasPrefix(v, "[redacted") || strings.Contains(v, "...") || strings.Contains(v, "…") {
		return true
	}
	run, longest := 1, 1
	for i := 1; i < len(v); i++ {
		if v[i] == v[i-1] {
			run++
			longest = max(longest, run)
		} else {
			run = 1
		}
	}
	if longest >= 8 || longest >= 5 && longest*3 > len(v) {
		return true
	}
	l := strings.ToLower(v)
	for _, w := range []string{"example", "your_", "your-", "yourtoken", "changeme", "placeholder", "redacted", "abcdefghijkl", "token_here", "tokenhere", "xxxxx", "*****", "process.env", "os.getenv", "os.environ", "env.", "secrets."} {
		if strings.Contains(l, w) {
			return true
		}
	}
	return false
}

// periodic holds for values that a person typed to stand for a secret: one
// short piece over and over ("123123123"), so that most of it
// repeats what stands two to four bytes before.
func periodic(v string) bool {
	for p := 2; p <= 4 && 3*p <= len(v) && len(v) >= 16; p++ {
		same := 0
		for i := p; i < len(v); i++ {
			if v[i] == v[i-p] {
				same++
			}
		}
		if same*5 >= len(v)*3 {
			return true
		}
	}
	return false
}

func genuine(v string) bool { return !placeholder(v) && !periodic(v) }

// classes counts what a value is made of.
func classes(v string) (lower, upper, digit, other int) {
	for i := range len(v) {
		switch c := v[i]; {
		case c >= 'a' && c <= 'z':
			lower++
		case c >= 'A' && c <= 'Z':
			upper++
		case c >= '0' && c <= '9':
			digit++
		default:
			other++
		}
	}
	return
}

// random holds for values that no person writes as a word: letters and digits
// mixed, or letters of both cases without the shape of a name.
func random(v string) bool {
	lower, upper, digit, other := classes(v)
	if len(v) < 8 || distinct(v) < min(6, len(v)/2) {
		return false
	}
	switch {
	case digit >= 2 && lower+upper >= 2:
		return true
	case digit >= 12 && other <= 1:
		return true
	case digit >= 8 && lower+upper+digit >= 10:
		return true
	case digit >= 1 && lower >= 1 && upper >= 1 && len(v) >= 12:
		return true
	case len(v) >= 20 && lower >= 4 && upper >= 4 && other <= 2 && !strings.ContainsAny(v, " ./"):
		return true
	}
	return false
}

func distinct(v string) int {
	var seen [256]bool
	n := 0
	for i := range len(v) {
		if !seen[v[i]] {
			seen[v[i]] = true
			n++
		}
	}
	return n
}
