package redact

import "strings"

// address looks at a URL for what stands before its host: "user:password@".
func (x *search) address(at int, w *watch) {
	from := at + len(w.word)
	authority := strings.TrimRight(x.s[from:reach(x.s, from, from+2048, " \t\r\n\"'`<>")], ".,;)")
	// The password ends at the last "@" before a host, or else at the first one. A token stands for
	// the user.
	for _, shape := range []string{"url-token", "url-login", "url-password"} {
		if m := pattern(shape).FindStringSubmatchIndex(authority); m != nil {
			x.take("url-password", shape, from+m[2], from+m[3])
			return
		}
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
	if m == nil || scoped(x.s, at) {
		return
	}
	from, end := to+m[2], to+m[3]
	text := x.s[from:end]
	scheme := pattern("auth-scheme").FindStringSubmatchIndex(text)
	switch {
	case w.word == "cookie":
		x.cookies(from, text)
	case fits("template", text):
	case scheme != nil && wordlike(text[scheme[2]:scheme[3]]):
		x.schemed(from+scheme[4], from+scheme[5], end)
	default:
		v := strings.TrimRight(upTo(text, " \t"), ".,;)")
		shape := "header-value"
		if pattern("argued").MatchString(x.s[max(0, at-16):at]) {
			shape = "credential"
		}
		x.take("auth-header", shape, from, from+len(v))
	}
}

// schemed looks at what follows the name of a scheme: one word, or several parameters.
func (x *search) schemed(from, to, end int) {
	v := strings.TrimRight(x.s[from:to], ".,;)")
	if !fits("credential", v) || fits("plain", decoded(v)) { // the name of an account alone
		return
	}
	if strings.Contains(v, "=") && strings.HasSuffix(x.s[from:to], ",") { // Digest, AWS4-HMAC-SHA256
		to = end
	}
	x.add("auth-header", from, to)
}

// bearer looks at "Bearer X" wherever it stands.
func (x *search) bearer(at int, w *watch) {
	from := at + len(w.word)
	v := strings.TrimRight(x.s[from:tokenEnd(x.s, from)], ".,;:)]}")
	if begins(x.s, at) {
		x.take("auth-header", "bearer", from, from+len(v))
	}
}

// cookies looks at the pairs of a Cookie header that begins at a place.
func (x *search) cookies(from int, text string) {
	for _, m := range pattern("cookies").FindAllStringSubmatchIndex(text, -1) {
		x.take("cookie", "cookie", from+m[2], from+m[3])
	}
}

// manifest looks at a Secret of Kubernetes: every value of its data is one.
func (x *search) manifest(at int, w *watch) {
	const window = 8 << 10
	s := x.s
	if !pattern("secret-kind").MatchString(s[at+len(w.word) : min(len(s), at+80)]) {
		return
	}
	from := max(0, at-window)
	from += max(0, strings.LastIndex(s[from:at], "\n---"))
	text, _, _ := strings.Cut(s[at:min(len(s), at+window)], "\n---")
	text = s[from:at] + text
	for _, place := range dataLines(text) {
		x.manifestValue(from+place[0], from+place[1])
	}
	for _, object := range pattern("data-object").FindAllStringSubmatchIndex(text, -1) { // of JSON
		start := from + object[2]
		for _, m := range pattern("data-pair").FindAllStringSubmatchIndex(text[object[2]:object[3]], -1) {
			x.manifestValue(start+m[2], start+m[3])
		}
	}
}

// dataLines returns the places of the values on the lines below "data:" and "stringData:".
func dataLines(text string) [][]int {
	var out [][]int
	at, depth := 0, -1 // depth is how far "data:" is indented, or less than 0
	for line := range strings.Lines(text) {
		m := pattern("manifest-line").FindStringSubmatchIndex(line)
		switch {
		case m == nil:
		case pattern("data-line").MatchString(line):
			depth = m[3]
		case m[3] <= depth:
			depth = -1
		case depth >= 0:
			out = append(out, []int{at + m[4], at + m[5]})
		}
		at += len(line)
	}
	return out
}

// manifestValue adds one value without its quotes.
func (x *search) manifestValue(from, to int) {
	v := strings.TrimRight(x.s[from:to], ", \r\n")
	inner := strings.Trim(v, "\"'`")
	from += strings.Index(v, inner)
	x.take("kubernetes", "manifest-value", from, from+len(inner))
}
