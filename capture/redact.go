package capture

import (
	"cmp"
	"slices"
	"strings"
)

// Secret says what kind of secret stood where.
type Secret struct {
	Kind       string // "aws-access-key", "private-key", …
	Start, End int    // bytes of the input
}

// Redact replaces every secret in s by "[redacted: kind]" and says what it
// found, in order. Text without secrets comes back as it is.
//
// Known token formats, private keys, credentials in URLs and headers, and
// assignments to names such as "token" or "password" are secrets;
// placeholders, variables, commit ids, UUIDs and checksums outside such a
// context are not.
func Redact(s string) (string, []Secret) {
	found := secretsIn(s)
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
	if len(found) == 0 {
		return nil
	}
	slices.SortStableFunc(found, func(a, b Secret) int { return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(b.End, a.End)) })
	out := found[:0]
	end := 0
	for _, x := range found {
		switch {
		case x.Start >= end && !strings.HasPrefix(s[x.Start:], "[redacted:"):
			out = append(out, x)
			end = x.End
		case len(out) > 0 && x.Start < end && x.End > end:
			out[len(out)-1].End, end = x.End, x.End
		}
	}
	return slices.Clone(out)
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

func genuine(v string) bool { return !placeholder(v) }

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
