package redact

import "strings"

// address looks at a URL for what stands before its host: "user:password@".
func (x *search) address(at int, _ *watch) {
	if at == 0 || !letterOrDigit(x.s[at-1]) {
		return
	}
	from := at + len("://")
	authority := strings.TrimRight(x.s[from:reach(x.s, from, from+2048, " \t\r\n\"'`<>")], ".,;)")
	if m := pattern("url-token").FindStringSubmatch(authority); m != nil { // it stands for the user
		if genuine(m[1]) && jumbled(m[1]) {
			x.add("url-password", from, from+len(m[1]))
		}
		return
	}
	// The password ends at the last "@" before a host, or else at the first one.
	m := pattern("url-login").FindStringSubmatchIndex(authority)
	if m == nil {
		m = pattern("url-password").FindStringSubmatchIndex(authority)
	}
	if m == nil {
		return
	}
	password := authority[m[2]:m[3]]
	if !placeholder(password) && !novalue(password) && !pattern("url-port").MatchString(password) {
		x.add("url-password", from+m[2], from+m[3])
	}
}

func upTo(s, any string) string {
	if i := strings.IndexAny(s, any); i >= 0 {
		return s[:i]
	}
	return s
}

// header looks at a header of HTTP that carries a credential: everything after
// the scheme is one, whatever the scheme's name.
func (x *search) header(at int, w *watch) {
	to := at + len(w.word)
	m := pattern("header").FindStringSubmatchIndex(x.s[to:min(len(x.s), to+windowLine)])
	if m == nil {
		return
	}
	from, end := to+m[2], to+m[3]
	text := x.s[from:end]
	switch {
	case scoped(x.s, at):
		return
	case w.word == "cookie":
		x.cookies(from, text)
		return
	case fits("template", text):
		return
	}
	if m := pattern("auth-scheme").FindStringSubmatchIndex(text); m != nil && wordlike(text[m[2]:m[3]]) {
		x.schemed(from+m[4], from+m[5], end)
		return
	}
	v := strings.TrimRight(upTo(text, " \t"), ".,;)")
	if credential(v) && (random(v) || pattern("argued").MatchString(x.s[max(0, at-16):at])) {
		x.add("auth-header", from, from+len(v))
	}
}

// schemed looks at what follows the name of a scheme: one word, or several parameters.
func (x *search) schemed(from, to, end int) {
	v := x.s[from:to]
	if strings.Contains(v, "=") && strings.HasSuffix(v, ",") { // Digest, AWS4-HMAC-SHA256
		to = end
	}
	if credential(v) && !accountOnly(v) {
		x.add("auth-header", from, to)
	}
}

// accountOnly reports whether base64 holds one word, the name of an account without its password.
func accountOnly(v string) bool {
	text, ok := decoded(v)
	return ok && fits("plain", text)
}

// credential reports whether a word of a header can be the credential.
func credential(v string) bool { return fits("credential", strings.TrimRight(v, ".,;)")) }

// bearer looks at "Bearer X" wherever it stands.
func (x *search) bearer(at int, w *watch) {
	from := at + len(w.word)
	v := strings.TrimRight(x.s[from:tokenEnd(x.s, from)], ".,;:)]}")
	if begins(x.s, at) && fits("bearer", v) {
		x.add("auth-header", from, from+len(v))
	}
}

// cookies looks at the pairs of a Cookie header that begins at a place.
func (x *search) cookies(from int, text string) {
	for _, m := range pattern("cookies").FindAllStringSubmatchIndex(text, -1) {
		if v := text[m[2]:m[3]]; fits("cookie", v) {
			x.add("cookie", from+m[2], from+m[3])
		}
	}
}

// manifest looks at a Secret of Kubernetes: every value of its data is one.
func (x *search) manifest(at int, w *watch) {
	const window = 8 << 10
	s := x.s
	if !pattern("secret-kind").MatchString(s[at+len(w.word):min(len(s), at+80)]) || at > 0 && tokenByte(s[at-1]) {
		return
	}
	from, to := max(0, at-window), min(len(s), at+window)
	from += max(0, strings.LastIndex(s[from:at], "\n---"))
	if end := strings.Index(s[at:to], "\n---"); end >= 0 {
		to = at + end
	}
	x.manifestLines(from, s[from:to])
	for _, object := range pattern("data-object").FindAllStringSubmatchIndex(s[from:to], -1) { // of JSON
		start := from + object[2]
		for _, m := range pattern("data-pair").FindAllStringSubmatchIndex(s[start:from+object[3]], -1) {
			x.manifestValue(start+m[2], start+m[3])
		}
	}
}

// manifestLines adds the values on the lines below "data:" and "stringData:" of a text that
// begins at a place.
func (x *search) manifestLines(at int, text string) {
	depth := -1 // how far "data:" is indented, or less than 0
	for line := range strings.Lines(text) {
		m := pattern("manifest-line").FindStringSubmatchIndex(line)
		switch {
		case m == nil:
		case pattern("data-line").MatchString(line):
			depth = m[3]
		case m[3] <= depth:
			depth = -1
		case depth >= 0:
			x.manifestValue(at+m[4], at+m[5])
		}
		at += len(line)
	}
}

// manifestValue adds one value without its quotes.
func (x *search) manifestValue(from, to int) {
	v := strings.TrimRight(x.s[from:to], ", \r\n")
	inner := strings.Trim(v, `"'`)
	if len(inner) >= 9 && !fits("reference-value", inner) {
		from += strings.Index(v, inner)
		x.add("kubernetes", from, from+len(inner))
	}
}
