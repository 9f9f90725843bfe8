// Package redact finds secrets in text and takes them out.
//
// Call [String] for the kinds that are known, or make a [Redactor] with [New]
// where a user has patterns of their own. [Command] reduces a shell command to
// what cannot hold a secret; a record of commands keeps nothing else. It
// promises: text without secrets comes back as it is; what was redacted once is
// not changed by redacting it again; where a secret stood, its kind is named. It
// errs on the side of leaving a word alone: a commit id, a UUID, a checksum or a
// placeholder is not a secret unless its context says so.
//
// A text is gone over once, in search.go, for the words that something is known
// of. At each, what knows the word looks around it:
//
//	formats.go   the token formats of formats.txt, and tokens that say so themselves
//	assign.go    values given to a name such as "dbPassword"
//	said.go      prose: "the admin password is …", "admin / …"
//	option.go    arguments of programs: "mysql -p…"
//	address.go   URLs, headers of HTTP and manifests of Kubernetes
//	private.go   <private>…</private>
//
// What such a name is stands in names.go, what such a value looks like in
// value.go, and the words of both in words.txt. A Redactor does not change once
// it is made, and the package keeps no other state but tables and expressions
// made at first use, so everything here may be called by several goroutines at
// once.
//
// A user's patterns come from the setting cortex.secret, see "Settings" in
// FORMAT.md; "Secrets" there says what is redacted.
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

// Redactor finds secrets: the known kinds, what the user's own patterns
// describe, and what repeats text that the user marked as private. Nil and the
// zero value know the known kinds. It is safe for concurrent use once made, but
// for one with a [Hidden].
type Redactor struct {
	own    []*regexp.Regexp
	hidden *Hidden // see Hiding
}

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
// Known token formats, private keys, credentials in URLs, headers and commands,
// what is given to a name such as "token" or "password" or said to be one, and
// what the user's patterns match are secrets; placeholders, variables, commit
// ids, UUIDs and checksums outside such a context are not.
func (r *Redactor) Redact(s string) (string, []Secret) {
	found := secretsIn(s)
	if r != nil && (len(r.own) > 0 || r.hidden != nil) {
		if more := append(r.matches(s), r.hidden.find(s)...); len(more) > 0 {
			found = ordered(s, append(found, more...))
		}
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
// enters a record. Only the first 4 KB count, less the word that they cut.
func (r *Redactor) Line(s string) string {
	if len(s) > 4<<10 {
		s = s[:max(0, strings.LastIndexAny(s[:4<<10], " \t\n"))]
	}
	return memory.OneLine(r.Text(memory.Clean(s)))
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
