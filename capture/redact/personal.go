package redact

import (
	_ "embed" // for personal.tsv
	"path"
	"regexp"
	"strconv"
	"strings"
	"unicode"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/words"
)

//go:embed personal.tsv
var personalTable string

// personalRow is a row of personal.tsv.
type personalRow struct {
	kind        string
	keywords    []string // none where any text may hold one
	least, most int      // digits
	check       func(s string, from, to int) (start, end int)
	expr        func() *regexp.Regexp
	not         func() *regexp.Regexp // nil where nothing is excepted
}

// personalRows are the rows of personal.tsv.
var personalRows = lazy.Value(func() []personalRow {
	checks := map[string]func(s string, from, to int) (int, int){
		"luhn": cardIn, "lone": loneNumber, "street": street, "doubtful": doubtfulStreet,
	}
	var out []personalRow
	for cells := range words.Rows(personalTable, 6) {
		row := personalRow{kind: cells[0], check: checks[cells[3]], expr: lazily(cells[4])}
		if cells[1] != "-" {
			row.keywords = strings.Split(cells[1], ",")
		}
		least, most, _ := strings.Cut(cells[2], "-")
		row.least, _ = strconv.Atoi(least)
		if row.most, _ = strconv.Atoi(most); row.most == 0 {
			row.most = longestPersonal
		}
		if cells[5] != "-" {
			row.not = lazily(cells[5])
		}
		out = append(out, row)
	}
	return out
})

// longestPersonal bounds the digits of what is found, and the bytes of a mail address.
const longestPersonal = 254

// lazily compiles an expression at its first use.
func lazily(expr string) func() *regexp.Regexp {
	return lazy.Pattern(expr)
}

// Personal finds what belongs to a person and to no program: mail addresses,
// telephone and card numbers, accounts (IBAN) and street addresses. Card and
// account numbers count with their checksum only; addresses of services, of
// examples and of programs ("git@…", "noreply@…", "…@example.org") do not.
func Personal(s string) []Secret {
	p := personal{s: s, found: mails(s)}
	for at := nextOf(s, 0, digitBytes); at < len(s); {
		at = nextOf(s, p.number(at), digitBytes)
	}
	return ordered(s, p.found)
}

// personal is one look for personal data.
type personal struct {
	s     string
	found []Secret
	ran   int // the end of the last number with separators
}

// number looks at the number that begins at a place, and returns where to go on.
func (p *personal) number(at int) int {
	end := span(p.s, at, "0123456789")
	run := span(p.s, at, "0123456789 -./()")
	digits := len(digitsOf(p.s[at:run]))
	if at < p.ran { // the rest of a number that is none
		digits = 0
	}
	p.ran = max(p.ran, run)
	if to := ibanAt(p.s, at); to > 0 {
		p.found = append(p.found, Secret{"iban", at - 2, to})
		return to
	}
	rows := personalRows()
	for i := range rows {
		row := &rows[i]
		if digits < row.least || row.least == 0 && end-at > 5 {
			continue
		}
		if x, ok := row.find(p.s, at); ok {
			p.found = append(p.found, x)
			return max(end, x.End)
		}
	}
	return end
}

// nextOf is the next place from one on where a byte of a set stands, the end of the text where none does.
func nextOf(s string, at int, set string) int { return reach(s, at, len(s), set) }

const digitBytes = "0123456789"

// near reports whether a text holds a keyword of the row.
func (row *personalRow) near(s string) bool {
	return len(row.keywords) == 0 || containsAny(s, row.keywords)
}

// windowPersonal is how many bytes before a number are looked at, and behind it.
const windowPersonal = 96

// find looks at the number that begins at a place, on its line.
func (row *personalRow) find(s string, at int) (Secret, bool) {
	from := max(0, at-windowPersonal)
	from += strings.LastIndexByte(s[from:at], '\n') + 1
	window := upTo(s[from:min(len(s), at+windowPersonal)], "\n")
	if !row.near(window) {
		return Secret{}, false
	}
	for _, m := range row.expr().FindAllStringSubmatchIndex(window, -1) {
		start, end := from+m[2], from+m[3]
		if start > at || end <= at || !row.fits(s[start:end]) {
			continue
		}
		start, end = row.check(s, start, end)
		return Secret{row.kind, start, end}, end > start
	}
	return Secret{}, false
}

// fits reports whether a match has as many digits as the row wants, and is no exception of it.
func (row *personalRow) fits(match string) bool {
	n := len(digitsOf(match))
	return n >= row.least && n <= row.most && (row.not == nil || !row.not().MatchString(match))
}

// digitsOf is a number without its separators.
func digitsOf(s string) string {
	return strings.Map(func(r rune) rune {
		if r < '0' || r > '9' {
			return -1
		}
		return r
	}, s)
}

// loneNumber leaves out a number beside which others stand: then it is one of a list.
func loneNumber(s string, from, to int) (int, int) {
	before, behind := s[max(0, from-3):from], s[to:min(len(s), to+3)]
	if pattern("number-before").MatchString(before) || pattern("number-behind").MatchString(behind) {
		return from, from
	}
	return from, to
}

// cardIn checks the issuer of a card, and its checksum (ISO/IEC 7812, Luhn).
func cardIn(s string, from, to int) (int, int) {
	number := digitsOf(s[from:to])
	if !pattern("card-issuers").MatchString(number) || luhn(number) != 0 {
		return from, from
	}
	return loneNumber(s, from, to)
}

// luhn is the checksum of a number, 0 where it is right.
func luhn(number string) int {
	const doubled = "0246813579" // of each digit, with its digits added up
	sum := 0
	for i := range len(number) {
		c := number[len(number)-1-i]
		if i%2 == 1 {
			c = doubled[c-'0']
		}
		sum += int(c - '0')
	}
	return sum % 10
}

// ibanAt is the end of the longest account number whose check digits begin at a place, 0 where
// there is none (ISO 13616).
func ibanAt(s string, at int) int {
	from := max(0, at-2)
	if strings.ContainsAny(s[max(0, from-1):from], wordLetters) {
		return 0
	}
	account := pattern("iban").FindString(s[from:])
	for account != "" {
		if number := strings.ReplaceAll(account, " ", ""); len(number) >= 15 && ibanRest(number) == 1 {
			return from + len(account)
		}
		account = account[:max(0, strings.LastIndexByte(account, ' '))]
	}
	return 0
}

// ibanRest is the number of an account modulo 97, which is 1 where its check digits are right.
func ibanRest(account string) int {
	rest := 0
	for _, c := range account[4:] + account[:4] {
		value, err := strconv.ParseInt(string(c), 36, 0)
		if err != nil {
			return 0
		}
		if value >= 10 {
			rest *= 10
		}
		rest = (rest*10 + int(value)) % 97
	}
	return rest
}

// windowStreet is how many bytes around a street belong to its address.
const windowStreet = 96

// street completes an address by its town.
func street(s string, from, to int) (int, int) {
	if m := pattern("town").FindStringIndex(s[to:min(len(s), to+windowStreet)]); m != nil {
		return from, to + m[1]
	}
	return from, to
}

// doubtfulStreet is [street] for a street whose word has other meanings: it needs a town, or a
// word for an address before it.
func doubtfulStreet(s string, from, to int) (int, int) {
	before := s[max(0, from-windowStreet):from]
	before = before[strings.LastIndexByte(before, '\n')+1:]
	start, end := street(s, from, to)
	if end == to && !pattern("address-word").MatchString(before) {
		return from, from
	}
	return start, end
}

// mails finds the mail addresses of people.
func mails(s string) []Secret {
	var found []Secret
	for at := nextOf(s, 0, "@"); at < len(s); at = nextOf(s, at+1, "@") {
		if from, to := mailAt(s, at); to > from {
			found = append(found, Secret{"email", from, to})
		}
	}
	return found
}

// mailAt is the mail address of a person whose "@" stands at a place; nothing where there is none.
func mailAt(s string, at int) (from, to int) {
	near := max(0, at-64)
	from = near + len(strings.TrimRightFunc(s[near:at], mailRune))
	from = at - len(strings.TrimLeft(s[from:at], ".+%'-"))
	to = at + 1 + len(pattern("mail-host").FindString(s[at+1:min(len(s), at+longestPersonal)]))
	if mailbox(s[from:at]) && mailHost(strings.ToLower(s[at+1:to])) && mailed(s, from, to) {
		return from, to
	}
	return at, at
}

// mailRune reports whether a letter or mark may stand before the "@" of a mail address.
func mailRune(r rune) bool {
	if r < unicode.MaxASCII {
		return strings.ContainsRune(wordLetters+".+%'", r)
	}
	return unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic)
}

// mailbox reports whether a name before an "@" may be that of a person.
func mailbox(user string) bool {
	base, _, _ := strings.Cut(strings.ToLower(user), "+")
	return base != "" && !is("mailboxes", base) && !pattern("mail-service").MatchString(base)
}

// mailHost reports whether a name in small letters is a host to which people's mail goes.
func mailHost(host string) bool {
	domain := pattern("mail-domain").FindString(host)
	if is("samplehosts", domain) || pattern("mail-sample").MatchString(host) {
		return false
	}
	top := strings.TrimPrefix(path.Ext(domain), ".")
	return len(top) == 2 || is("topdomains", top)
}

// mailed reports whether what stands around an address is no URL, path, call or command.
func mailed(s string, from, to int) bool {
	line := s[max(0, from-120):from]
	line = line[strings.LastIndexByte(line, '\n')+1:]
	behind := s[to:min(len(s), to+2)]
	return !pattern("mail-not-behind").MatchString(line) && !pattern("mail-not-before").MatchString(behind)
}

// WithPersonal returns a redactor that also takes out what [Personal] finds. r
// stays as it is.
func (r *Redactor) WithPersonal() *Redactor {
	out := r.clone()
	out.personal = true
	return out
}
