package redact

import (
	"slices"
	"strings"
)

// digitRun is a number with its separators: "+49 171 234-5678".
type digitRun struct {
	from, to int
	plus     bool
	first    int // the end of the first group
	sizes    [maxRun]uint8
	groups   int
	between  string // the separators, one after the other
	digits   string
}

// maxRun bounds a number, in bytes.
const maxRun = 40

// fewest is how many digits anything has that is looked for but a house number.
const fewest = 7

// run reads the number that begins at a digit. One of too few digits has none.
func (p *personal) run(at int) digitRun {
	s := p.s
	r := digitRun{from: at, to: at}
	n := 0
	for i := at; i < len(s) && i < at+maxRun; {
		from := i
		for i < len(s) && s[i] >= '0' && s[i] <= '9' {
			i++
		}
		if i == from {
			break
		}
		if r.groups == 0 {
			r.first = i
		}
		r.sizes[r.groups] = uint8(i - from)
		r.groups++
		n += i - from
		r.to = i
		sep := i
		for i < len(s) && i < sep+3 && strings.IndexByte(" -./()", s[i]) >= 0 {
			i++
		}
		if i == sep || i == len(s) || s[i] < '0' || s[i] > '9' || s[sep:i] == " -" {
			break
		}
	}
	if n < fewest || r.to-at > 2*maxRun { // a single group has no bound of its own
		return r
	}
	var digits, between [2 * maxRun]byte
	d, b := 0, 0
	for _, c := range []byte(s[at:r.to]) {
		if c >= '0' && c <= '9' {
			digits[d] = c
			d++
		} else {
			between[b] = c
			b++
		}
	}
	r.digits, r.between = string(digits[:d]), string(between[:b])
	if from := r.from; from > 0 && s[from-1] == '(' {
		r.from--
		r.between = "(" + r.between
	}
	if r.from > 0 && s[r.from-1] == '+' {
		r.from--
		r.plus = true
	}
	return r
}

// number looks at the number that begins at a digit for everything that has
// one, and returns where to go on.
func (p *personal) number(at int) int {
	s := p.s
	if end := p.iban(at); end > 0 {
		return end
	}
	r := p.run(at)
	first := r.first
	if r.from > 0 && (wordByte(s[r.from-1]) && s[r.from-1] < 0x80 || strings.IndexByte(".#$=%&", s[r.from-1]) >= 0 && r.from == at) {
		return first
	}
	if at < p.ran && !r.plus && r.from == at { // the rest of one that is neither
		r.digits = ""
	}
	p.ran = max(p.ran, r.to)
	open := r.to < len(s) && (letterOrDigit(s[r.to]) || s[r.to] == '_')
	switch {
	case !open && r.card():
		p.add("card", r.from, r.to)
		return r.to
	case !open && p.phone(r):
		p.add("phone", r.from, r.to)
		return r.to
	}
	if first-at <= 5 {
		if from, to := p.street(at, first); to > from {
			p.add("address", from, to)
			return max(to, first)
		}
	}
	return first
}

// phone reports whether a number is one that can be called: with the code of a
// country, as North America writes them, with a leading zero and an area code,
// or after a word such as "phone".
func (p *personal) phone(r digitRun) bool {
	n := len(r.digits)
	if n < 7 || n > 15 || r.dated() {
		return false
	}
	sizes := r.sizes[:r.groups]
	spoken := p.phoneWord(r.from)
	if r.plus {
		if r.digits[0] == '0' || n < 8 {
			return false
		}
		if thousands := n <= 9 && len(sizes) > 1 && !slices.ContainsFunc(sizes[1:], func(k uint8) bool { return k != 3 }); thousands && !spoken {
			return false
		}
		return len(sizes) > 1 || spoken || n >= 11 && (r.from > 0 && p.s[r.from-1] != '\n')
	}
	american := r.digits
	if len(sizes) == 4 && sizes[0] == 1 && r.digits[0] == '1' {
		sizes, american = sizes[1:], american[1:]
	}
	if slices.Equal(sizes, []uint8{3, 3, 4}) && american[0] > '1' && (american[3] > '1' || strings.Contains(r.between, "(")) &&
		strings.Trim(r.between, " ") != "" && !strings.Contains(r.between, "/") {
		return true
	}
	if strings.HasPrefix(r.digits, "00") && len(sizes) > 1 && n >= 11 && r.digits[2] != '0' && sizes[0] >= 4 && !strings.Contains(r.between, ".") {
		return true
	}
	if area := sizes[0]; r.digits[0] == '0' && r.digits[1] != '0' && area >= 3 && area <= 5 && n >= 9 && n <= 12 && len(sizes) > 1 && len(sizes) <= 5 &&
		!strings.Contains(r.between, ".") && !strings.Contains(r.between, "(") && strings.Count(r.between, "-") < 2 && sizes[len(sizes)-1] > 1 {
		return true
	}
	return spoken && (len(sizes) > 1 || n >= 9 || r.digits[0] == '0')
}

// phoneWord reports whether a word right before a place says that a number to
// call follows.
func (p *personal) phoneWord(at int) bool {
	before := p.s[max(0, at-40):at]
	before = strings.ToLower(before[strings.LastIndexByte(before, '\n')+1:])
	if strings.HasSuffix(strings.TrimRight(before, " :：是为"), "电话") || strings.HasSuffix(strings.TrimRight(before, " :：是为"), "手机") {
		return true
	}
	words := strings.FieldsFunc(before, func(r rune) bool { return strings.ContainsRune(" \t:=,;()\"'", r) })
	for i := len(words) - 1; i >= 0 && i >= len(words)-4; i-- {
		if is("phonewords", words[i]) {
			return true
		}
	}
	return false
}

// dated holds for dates and times: "2026-11-22 10".
func (r *digitRun) dated() bool {
	g := r.sizes[:r.groups]
	return len(g) >= 3 && (g[0] == 4 && g[1] <= 2 && g[2] <= 2 || g[0] <= 2 && g[1] <= 2 && g[2] == 4 && !r.plus && r.digits[0] <= '3' && len(g) <= 4)
}

// card reports whether a number is that of a payment card: the first digits of
// an issuer, the length, the groups and the checksum (ISO/IEC 7812, Luhn).
func (r *digitRun) card() bool {
	d, n := r.digits, len(r.digits)
	if n < 13 || n > 19 || r.plus || strings.Trim(r.between, " -") != "" {
		return false
	}
	for _, g := range r.sizes[:r.groups-1] {
		if g != 4 && (g != 6 || n > 15) {
			return false
		}
	}
	two := d[:2]
	issued := d[0] == '4' && (n == 13 || n == 16 || n == 19) ||
		n == 16 && (two >= "51" && two <= "55" || d[:4] >= "2221" && d[:4] <= "2720" || two == "65" || d[:4] == "6011" || two == "35" || two == "62") ||
		n == 15 && (two == "34" || two == "37") || n == 14 && (two == "36" || two == "38" || two == "30")
	if !issued {
		return false
	}
	sum := 0
	for i := range n {
		k := int(d[n-1-i] - '0')
		if i%2 == 1 {
			if k *= 2; k > 9 {
				k -= 9
			}
		}
		sum += k
	}
	return sum%10 == 0
}

// iban looks for an account whose check digits begin here, after the two letters
// of a country, and returns its end, 0 when there is none (ISO 13616).
func (p *personal) iban(at int) int {
	s := p.s
	if at < 2 || s[at-1] < 'A' || s[at-1] > 'Z' || s[at-2] < 'A' || s[at-2] > 'Z' || at > 2 && wordByte(s[at-3]) && s[at-3] < 0x80 {
		return 0
	}
	var account []byte
	ends := map[int]int{} // how many characters: where they end
	for i := at - 2; i < len(s) && len(account) < 34; i++ {
		c := s[i]
		if c == ' ' && i+1 < len(s) && letterOrDigit(s[i+1]) {
			continue
		}
		if !(c >= '0' && c <= '9' || c >= 'A' && c <= 'Z') {
			break
		}
		account = append(account, c)
		ends[len(account)] = i + 1
	}
	for n := len(account); n >= 15; n-- {
		end := ends[n]
		if end < len(s) && letterOrDigit(s[end]) || !ibanChecks(account[:n]) {
			continue
		}
		p.add("iban", at-2, end)
		return end
	}
	return 0
}

func ibanChecks(account []byte) bool {
	rest := 0
	for _, c := range append(slices.Clone(account[4:]), account[:4]...) {
		if c >= 'A' {
			rest = (rest*100 + int(c-'A') + 10) % 97
		} else {
			rest = (rest*10 + int(c-'0')) % 97
		}
	}
	return rest == 1 && account[2] >= '0' && account[2] <= '9' && account[3] >= '0' && account[3] <= '9'
}
