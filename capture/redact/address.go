package redact

import "strings"

// address looks at a URL for what stands before its host: "user:password@".
func (x *search) address(at int, _ *watch) {
	s := x.s
	if at == 0 || !letter(s[at-1]) && (s[at-1] < '0' || s[at-1] > '9') {
		return
	}
	from := at + 3
	end := from
	for end < len(s) && end < from+2048 && strings.IndexByte(" \t\r\n\"'`<>", s[end]) < 0 {
		end++
	}
	for end > from && strings.IndexByte(".,;)", s[end-1]) >= 0 {
		end--
	}
	authority := s[from:end]
	sign := strings.IndexByte(authority, '@')
	if sign < 0 {
		return
	}
	colon := strings.IndexByte(authority, ':')
	if slash := strings.IndexByte(authority, '/'); slash >= 0 && slash < sign {
		// A slash in the password, or the "@" is one of the path.
		if colon < 0 || colon > slash || host(authority[:colon]) && digits(strings.TrimSpace(authority[colon+1:slash])) {
			return
		}
		sign = lastSign(authority, sign)
	} else if more := authority[sign+1:]; strings.Contains(more, "@") && !host(upTo(more, "/?#")) {
		sign = lastSign(authority, sign)
	}
	if colon < 0 || colon > sign { // a token may stand for the user
		user := authority[:sign]
		if len(user) >= 20 && genuine(user) && jumbled(user) {
			x.add("url-password", from, from+sign)
		}
		return
	}
	if password := authority[colon+1 : sign]; len(password) >= 3 && !placeholder(password) && !novalue(password) {
		x.add("url-password", from+colon+1, from+sign)
	}
}

// lastSign is the last "@" with something like a host after it.
func lastSign(authority string, first int) int {
	best := first
	for i := first; i < len(authority); i++ {
		if authority[i] == '@' && host(upTo(authority[i+1:], "/?#")) {
			best = i
		}
	}
	return best
}

func upTo(s, any string) string {
	if i := strings.IndexAny(s, any); i >= 0 {
		return s[:i]
	}
	return s
}

// host reports whether a text is the name of a host, with a port or without:
// one with a dot in it, or "localhost".
func host(s string) bool {
	name, port, _ := strings.Cut(s, ":")
	return (strings.Contains(name, ".") || name == "localhost" || name == "db") && strings.Trim(strings.ToLower(name), "abcdefghijklmnopqrstuvwxyz0123456789.-_") == "" &&
		(port == "" || digits(port))
}

// header looks at a header of HTTP that carries a credential: everything after
// the scheme is one, whatever the scheme's name.
func (x *search) header(at int, w *watch) {
	s := x.s
	i := at + len(w.word)
	if i < len(s) && s[i] == '\\' {
		i++
	}
	quoted := i < len(s) && strings.IndexByte("\"'`", s[i]) >= 0
	if quoted {
		i++
	}
	if i < len(s) && s[i] == ']' {
		i++
	}
	i = blanks(s, i)
	if i >= len(s) || s[i] != ':' && s[i] != '=' && !(quoted && s[i] == ',') {
		return
	}
	for i < len(s) && strings.IndexByte(":=, \t\"'`\\", s[i]) >= 0 {
		i++
	}
	end := i
	for end < len(s) && strings.IndexByte("\r\n\"'`\\", s[end]) < 0 {
		end++
	}
	if w.word == "cookie" {
		x.cookies(i, end)
		return
	}
	if strings.ContainsAny(s[i:end], "{}<>$") && placeholder(s[i:end]) {
		return
	}
	first := i + len(upTo(s[i:end], " \t"))
	second := blanks(s, first)
	scheme := s[i:first]
	if second < end && len(scheme) <= 24 && wordlike(scheme) {
		to := second + len(upTo(s[second:end], " \t"))
		if params := s[second:to]; strings.Contains(params, "=") && strings.HasSuffix(params, ",") { // Digest, AWS4-HMAC-SHA256
			to = end
		}
		if credential(s[second:to]) {
			x.add("auth-header", second, to)
		}
		return
	}
	if v := strings.TrimRight(scheme, ".,;)"); !strings.HasSuffix(v, "(") && credential(v) && (random(v) || argued(x.s, at)) {
		x.add("auth-header", i, i+len(v))
	}
}

// argued reports whether a header is an argument of curl or one of its like.
func argued(s string, at int) bool {
	before := strings.TrimRight(s[max(0, at-16):at], "\"'")
	return strings.HasSuffix(before, "-H ") || strings.HasSuffix(before, "-H") || strings.HasSuffix(before, "--header ") || strings.HasSuffix(before, "--header=")
}

// credential reports whether a word of a header can be the credential.
func credential(v string) bool {
	v = strings.TrimRight(v, ".,;)")
	lower, upper, digit, other := classes(v)
	return len(v) >= 6 && genuine(v) && !elsewhere(v) && (digit > 0 || other > 0 && strings.ContainsAny(v, "=+/_") || lower > 0 && upper > 1 || len(v) >= 24) && !technical(v)
}

// bearer looks at "Bearer X" wherever it stands.
func (x *search) bearer(at int, w *watch) {
	from := at + len(w.word)
	to := tokenEnd(x.s, from)
	for to > from && strings.IndexByte(".,;:)]}", x.s[to-1]) >= 0 {
		to--
	}
	if v := x.s[from:to]; begins(x.s, at) && len(v) >= 12 && random(v) && genuine(v) && !technical(v) && !strings.ContainsAny(v, "()[]{}") && !worded(v) {
		x.add("auth-header", from, to)
	}
}

// cookies looks at the pairs of a Cookie header.
func (x *search) cookies(from, end int) {
	for from < end {
		to := from + len(upTo(x.s[from:end], ";"))
		if name, v, ok := strings.Cut(x.s[from:to], "="); ok && len(v) >= 16 && random(v) && genuine(v) && !strings.Contains(v, " ") {
			x.add("cookie", from+len(name)+1, to)
		}
		from = to + 1
	}
}

// manifest looks at a Secret of Kubernetes: every value of its data is one.
func (x *search) manifest(at int, w *watch) {
	s := x.s
	i := at + len(w.word)
	for i < len(s) && strings.IndexByte(" \t:\"'", s[i]) >= 0 {
		i++
	}
	if i+6 > len(s) || !strings.EqualFold(s[i:i+6], "secret") || i+6 < len(s) && tokenByte(s[i+6]) || at > 0 && tokenByte(s[at-1]) {
		return
	}
	from, to := max(0, at-(8<<10)), min(len(s), at+(8<<10))
	if j := strings.LastIndex(s[from:at], "\n---"); j >= 0 {
		from += j + 4
	}
	if j := strings.Index(s[at:to], "\n---"); j >= 0 {
		to = at + j
	}
	x.manifestData(from, to)
	for _, key := range []string{`"data":`, `"stringData":`} { // of JSON, however many lines it has
		if j := strings.Index(s[from:to], key); j >= 0 {
			if k := blanks(s, from+j+len(key)); k < to && s[k] == '{' {
				x.manifestPairs(k+1, to)
			}
		}
	}
}

// manifestData adds the values below "data:" and "stringData:".
func (x *search) manifestData(from, to int) {
	s := x.s
	inside, depth, block := false, 0, false
	for at := from; at < to; {
		next := min(to, lineEnd(s, at))
		line := strings.TrimRight(s[at:next], "\r\n")
		text := strings.TrimLeft(line, " \t")
		indent := len(line) - len(text)
		key, v, ok := strings.Cut(text, ":")
		key = strings.Trim(key, `"' `)
		switch {
		case text == "" || text[0] == '#':
		case (key == "data" || key == "stringData") && !strings.Contains(line, "{"):
			inside, depth, block = true, indent, false
		case inside && indent <= depth:
			inside = false
		case inside && block && !ok:
			x.manifestValue(at+indent, text)
		case inside && ok:
			v = strings.TrimSpace(v)
			if block = v == "" || v[0] == '|' || v[0] == '>'; !block {
				x.manifestValue(at+strings.LastIndex(line, v), v)
			}
		}
		at = next
	}
}

// manifestPairs adds the values of a JSON object up to its end.
func (x *search) manifestPairs(from, to int) {
	if j := strings.IndexByte(x.s[from:to], '}'); j >= 0 {
		to = from + j
	}
	for from < to {
		colon := strings.IndexByte(x.s[from:to], ':')
		if colon < 0 {
			return
		}
		from += colon + 1
		v := upTo(x.s[from:to], ",\n")
		x.manifestValue(from+len(v)-len(strings.TrimLeft(v, " \t")), strings.TrimSpace(v))
		from += len(v)
	}
}

// manifestValue adds one value without its quotes and its comma.
func (x *search) manifestValue(at int, v string) {
	v = strings.TrimRight(v, ", ")
	inner := strings.Trim(v, `"'`)
	if len(inner) < 9 || strings.HasPrefix(inner, "ENC[") || strings.Contains(inner, "{{") || strings.HasPrefix(inner, "$") || strings.HasPrefix(inner, "<") {
		return
	}
	at += strings.Index(v, inner)
	x.add("kubernetes", at, at+len(inner))
}
