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
//	formats.go   the token formats of formats.tsv
//	token.go     tokens that say by their prefix that they are one
//	assign.go    values given to a name such as "dbPassword"
//	said.go      prose: "the admin password is …"
//	login.go     an account beside its password: "log in as admin with …"
//	code.go      PINs, codes that are used once, signatures of addresses
//	cell.go      tables of Markdown
//	option.go    arguments of programs, by options.tsv: "mysql -p…"
//	address.go   URLs, headers of HTTP and manifests of Kubernetes
//	private.go   <private>…</private>
//	wrapped.go   tokens that go over the end of a line
//	encoded.go   text in base64
//	fed.go       input of commands: here-documents
//	spoken.go    passwords in other languages, by the words of spoken.tsv
//
// The answer to a question for a secret is found by asked.go, which [Asks] begins.
//
// Mail addresses and the like, which belong to people and are no secret, have a
// search of its own: personal.go, by the rows of personal.tsv. Repeats of text
// that was marked as private are found by repeat.go.
//
// Names of secrets are told in names.go. The shapes of values are rows of
// values.tsv, read by value.go; words are lists of words.tsv, and the expressions
// for the text around secrets, in the languages that are known, are in
// patterns.txt. A Redactor does not change once it is made, and the package keeps
// no other state but tables and expressions made at first use, so everything here
// is safe for concurrent use.
//
// A user's patterns come from the setting cortex.secret, see "Settings" in
// docs/settings.md; "Secrets" there says what is redacted.
package redact

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
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
	own      []*regexp.Regexp
	hidden   *Hidden // see Hiding
	personal bool    // see WithPersonal
	keeping  bool    // see Keeping
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
	for i, p := range patterns[:min(len(patterns), maxPatterns)] {
		re, err := readPattern(p)
		if err != nil {
			bad = append(bad, fmt.Errorf("reading pattern %d of secrets: %w", i+1, err))
			continue
		}
		r.own = append(r.own, re)
	}
	if n := len(patterns); n > maxPatterns {
		bad = append(bad, fmt.Errorf("reading patterns of secrets: %d are given, the limit is %d", n, maxPatterns))
	}
	return r, bad
}

// readPattern reads one pattern of a user's. The error does not repeat it: it may hold a secret.
func readPattern(p string) (*regexp.Regexp, error) {
	if p == "" || len(p) > patternSize {
		return nil, fmt.Errorf("it has %d bytes, 1 to %d are allowed", len(p), patternSize)
	}
	re, err := regexp.Compile(p)
	if err != nil {
		return nil, errors.New("it is not a regular expression (RE2)")
	}
	return re, nil
}

// clone returns a copy of a redactor, or a new one for none.
func (r *Redactor) clone() *Redactor {
	out := &Redactor{}
	if r != nil {
		*out = *r
	}
	return out
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
	text, all := s, []Secret(nil)
	// What stood beside a secret may be one once the mark stands there, so the
	// result is looked at again until nothing is left to find.
	for range maxPasses {
		found := r.secretsIn(text)
		if len(found) == 0 {
			return text, all
		}
		text, all = replace(text, found), merged(s, all, found)
	}
	return mark("text"), []Secret{{"text", 0, len(s)}}
}

// maxPasses bounds how often one text is looked at. What needs more is made to
// need them, and nothing of it is kept.
const maxPasses = 17

// secretsIn finds all that r knows of, ordered and without overlaps.
func (r *Redactor) secretsIn(s string) []Secret {
	found := secretsIn(s)
	if r == nil {
		return found
	}
	more := append(r.matches(s), r.hidden.find(s)...)
	if r.personal {
		more = append(more, Personal(s)...)
	}
	if len(more) == 0 {
		return found
	}
	return ordered(s, append(found, more...))
}

func mark(kind string) string { return "[redacted: " + kind + "]" }

// replace puts marks in the place of secrets.
func replace(s string, found []Secret) string {
	var b strings.Builder
	at := 0
	for _, x := range found {
		b.WriteString(s[at:x.Start])
		b.WriteString(mark(x.Kind))
		at = x.End
	}
	b.WriteString(s[at:])
	return b.String()
}

// merged adds to what was found in a text what was found once marks stood there,
// with its places in the text.
func merged(s string, found, more []Secret) []Secret {
	out := slices.Clone(found)
	for _, x := range more {
		from, _ := place(found, x.Start)
		_, to := place(found, x.End)
		out = append(out, Secret{x.Kind, from, to})
	}
	return ordered(s, out)
}

// place maps a place of the text with marks to one of the text without, as what begins and as what
// ends there: within a mark these are the start and the end of what the mark stands for.
func place(found []Secret, at int) (from, to int) {
	shift := 0 // from the text with marks to that without
	for _, x := range found {
		start := x.Start - shift
		end := start + len(mark(x.Kind))
		if at <= start {
			break
		}
		if at < end {
			return x.Start, x.End
		}
		shift = x.End - end
	}
	return at + shift, at + shift
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

// matches finds what the user's patterns match, but for nothing at all.
func (r *Redactor) matches(s string) []Secret {
	var found []Secret
	for _, re := range r.own {
		for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
			if m = firstGroup(m); m[1] > m[0] {
				found = append(found, Secret{"custom", m[0], m[1]})
			}
		}
	}
	return found
}

// ordered sorts secrets, joins those that overlap, and drops what an earlier
// redaction wrote.
func ordered(s string, found []Secret) []Secret {
	lists.Sort(found, func(a, b Secret) int { return cmp.Or(a.Start-b.Start, b.End-a.End) })
	var out []Secret
	for _, x := range found {
		x.End = max(x.End, markAround(s, x.End-1))
		last := len(out) - 1
		switch {
		case last >= 0 && x.Start < out[last].End:
			out[last].End = max(out[last].End, x.End)
		case markAround(s, x.Start) == 0:
			out = append(out, x)
		}
	}
	return out
}

// markAround returns the end of the mark of an earlier redaction that holds a byte, 0 where none does.
func markAround(s string, at int) int {
	from := max(0, at-40)
	for _, m := range pattern("mark").FindAllStringIndex(s[from:min(len(s), at+40)], -1) {
		if from+m[0] <= at && at < from+m[1] {
			return from + m[1]
		}
	}
	return 0
}

func lineEnd(s string, from int) int {
	if i := strings.IndexByte(s[from:], '\n'); i >= 0 {
		return from + i + 1
	}
	return len(s)
}
