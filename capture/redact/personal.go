package redact

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Personal finds what belongs to a person and to no program: mail addresses,
// telephone and card numbers, accounts (IBAN) and street addresses. Card and
// account numbers count with their checksum only; addresses of services, of
// examples and of programs ("git@…", "noreply@…", "…@example.org") do not.
func Personal(s string) []Secret {
	p := personal{s: s}
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '@':
			p.mail(i)
		case c >= '0' && c <= '9':
			i = p.number(i) - 1
		}
	}
	return ordered(s, p.found)
}

// WithPersonal returns a redactor that also takes out what [Personal] finds. r
// stays as it is.
func (r *Redactor) WithPersonal() *Redactor {
	out := &Redactor{}
	if r != nil {
		*out = *r
	}
	out.personal = true
	return out
}

// personal is one look for personal data.
type personal struct {
	s     string
	found []Secret
	ran   int // the end of the last number with separators
}

func (p *personal) add(kind string, from, to int) {
	p.found = append(p.found, Secret{kind, from, to})
}

// mail looks at the words around an "@".
func (p *personal) mail(at int) {
	s := p.s
	from, to := at, at+1
	for from > 0 && at-from < 64 {
		r, size := utf8.DecodeLastRuneInString(s[:from])
		if r < utf8.RuneSelf && !letterOrDigit(byte(r)) && strings.IndexByte("_.+%'-", byte(r)) < 0 || r >= utf8.RuneSelf && !unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic) {
			break
		}
		from -= size
	}
	for from < at && strings.IndexByte(".+%'-", s[from]) >= 0 {
		from++
	}
	for to < len(s) && to-at < 254 && (letterOrDigit(s[to]) || s[to] == '.' || s[to] == '-') {
		to++
	}
	for to > at && (s[to-1] == '.' || s[to-1] == '-') {
		to--
	}
	if from == at || !mailHost(strings.ToLower(s[at+1:to])) {
		return
	}
	user := strings.ToLower(s[from:at])
	if base, _, _ := strings.Cut(user, "+"); is("mailboxes", base) || strings.HasSuffix(base, "noreply") || strings.HasSuffix(base, "no-reply") {
		return
	}
	if from > 0 && strings.IndexByte("/:@$", s[from-1]) >= 0 && !strings.EqualFold(s[max(0, from-7):from], "mailto:") && !(s[from-1] == ':' && from > 1 && letter(s[from-2])) {
		return // of a URL, or a path
	}
	if to < len(s) && (s[to] == '(' || s[to] == '/' || s[to] == ':' && to+1 < len(s) && (wordByte(s[to+1]) || strings.IndexByte("/~.", s[to+1]) >= 0)) {
		return // a call, or "user@host:path"
	}
	line := s[max(0, from-120):from]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	for _, program := range []string{"ssh ", "scp ", "sftp ", "rsync ", "ssh-copy-id "} {
		if strings.Contains(line, program) {
			return
		}
	}
	p.add("email", from, to)
}

// mailHost reports whether a name in small letters is a host to which people's
// mail goes.
func mailHost(host string) bool {
	labels := strings.Split(host, ".")
	n := len(labels)
	if n < 2 || strings.Contains(host, "..") {
		return false
	}
	top := labels[n-1]
	if strings.Trim(top, "abcdefghijklmnopqrstuvwxyz") != "" || len(top) != 2 && !is("topdomains", top) || len(labels[0]) == 2 && labels[0][1] == 'x' && labels[0][0] <= '9' { // "logo@2x.pl"
		return false
	}
	if strings.Contains(host, "noreply") {
		return false
	}
	return labels[n-2] != "example" && !is("samplehosts", strings.Join(labels[n-2:], "."))
}

func wordByte(c byte) bool { return letterOrDigit(c) || c == '_' || c >= 0x80 }

func letterOrDigit(c byte) bool { return letter(c) || c >= '0' && c <= '9' }
