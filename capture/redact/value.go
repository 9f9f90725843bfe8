package redact

import "strings"

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
	if l == "string" || strings.HasPrefix(l, "deadbeefcafe") { // a type, as in "password string"
		return true
	}
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
	return len(v) >= 16 && digit > 0 && other == 0 && unspeakable(v)
}

// unspeakable holds for letters that no word has side by side: seven consonants
// and more.
func unspeakable(v string) bool {
	n := 0
	for i := range len(v) {
		if c := v[i] | 0x20; c < 'a' || c > 'z' || strings.IndexByte("aeiouy", c) >= 0 {
			n = 0
		} else if n++; n >= 7 {
			return true
		}
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

// worded holds for values made of words: at least three of four letters and
// more, written together or apart, and next to nothing else.
func worded(v string) bool {
	words, letters := 0, 0
	for _, w := range nameWords(strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, v)) {
		if len(w) >= 4 && strings.ContainsAny(w, "aeiouy") {
			words++
			letters += len(w)
		}
	}
	return words >= 3 && 5*letters >= 4*len(v) || words >= 4 && 4*letters >= 3*len(v)
}

// plausible says whether a value given to a name that speaks of a secret is a
// random one.
func plausible(v string, password, quoted bool) bool {
	if placeholder(v) || elsewhere(v) || strings.Contains(v, " ") {
		return false
	}
	lower, upper, digit, other := classes(v)
	if lower == 0 && digit < 3 && strings.Contains(v, "_") { // the name of a variable
		return false
	}
	if strings.Contains(v, ".") && (strings.Contains(v, "()") || digit < 3 && other >= 1 && !password) { // a call or a field
		return false
	}
	if random(v) && (len(v) >= 10 || password) {
		return true
	}
	return password && quoted && len(v) >= 8 && (digit > 0 || other > 0 && upper > 0) && distinct(v) > 5
}

// identifier holds for names as programs have them: "ed25519Seed".
func identifier(v string) bool {
	v = strings.ReplaceAll(v, ".", "_")
	if strings.Trim(v, wordLetters) != "" {
		return false
	}
	words := nameWords(v)
	letters := 0
	for _, w := range words {
		if digits(w) || len(w) > 16 {
			return false
		}
		if rest := strings.TrimRight(w, "0123456789"); !is("technical", w) && (strings.ContainsAny(rest, "0123456789") || len(w)-len(rest) > 4) {
			return false
		}
		if letters += len(w); !is("technical", w) {
			letters -= len(w) - len(strings.TrimRight(w, "0123456789"))
		}
	}
	if lower, _, digit, _ := classes(v); lower == 0 && digit > 2 {
		return false
	}
	return letters >= 4*len(words)
}

// expression holds for what a program reads as a number or as a pattern.
func expression(v string) bool {
	for _, part := range []string{"0-9", "a-z", `\d`, `\w`, `\s`, "(?:", `\u`, "[^"} {
		if strings.Contains(v, part) {
			return true
		}
	}
	hex, isHex := strings.CutPrefix(v, "0x")
	return isHex && len(hex) <= 18 && strings.Trim(hex, "0123456789abcdefABCDEF_") == "" ||
		strings.ContainsAny(v, ".eE") && strings.Trim(v, "0123456789.+-eE") == ""
}

// elsewhere holds for values that say where a secret is, or are encrypted.
func elsewhere(v string) bool {
	if len(v) > 40 && strings.ContainsAny(v, "+=") && !strings.Contains(v, ".") || len(v) == 40 && strings.Trim(v, wordLetters+"+/") == "" && jumbled(v) { // base64 may begin with a slash
		return strings.Contains(v, "://")
	}
	return strings.HasPrefix(v, "ENC[") || strings.HasPrefix(v, "/") || strings.HasPrefix(v, "./") || strings.HasPrefix(v, "../") ||
		strings.HasPrefix(v, "~/") || strings.HasPrefix(v, "http") || strings.Contains(v, "://")
}

// novalue holds for what stands for nothing, for a type, or for a state, where
// a password could stand.
func novalue(v string) bool {
	l := strings.ToLower(strings.Trim(v, ".,;:!?\"'`()*"))
	if l == "" || is("novalues", l) {
		return true
	}
	switch l {
	case "password", "passwd", "pwd", "passphrase", "pass", "passcode", "passwort", "token", "apikey", "credentials", "key", "auth":
		return true
	}
	return false
}

// literal reports whether the value of a shell's variable is meant as it stands.
func literal(v string) bool {
	if placeholder(v) || elsewhere(v) || novalue(v) || len(v) < 4 || strings.ContainsAny(v, " {}[]$") {
		return false
	}
	lower, _, digit, other := classes(v)
	if strings.Contains(v, ".") && digit == 0 { // a field
		return false
	}
	return lower > 0 || digit > 0 || other > 0 && !strings.Contains(v, "_")
}

// chosen reports whether a value looks like a password that a person chose.
func chosen(v string, quoted bool) bool {
	if len(v) < 5 || len(v) > 64 || placeholder(v) || elsewhere(v) || novalue(v) || strings.ContainsAny(v, " ()[]{}<>|;=\\/,") {
		return false
	}
	lower, upper, digit, _ := classes(v)
	letters := lower + upper
	body := strings.TrimRight(v, "!?.")
	marks := strings.ContainsAny(body, "!@#$%^&*?~+")
	switch {
	case strings.Contains(v, "::") || strings.Contains(v, ".") && digit == 0 || strings.IndexByte("!*&@#?+%", v[0]) >= 0 && digit < 2:
		return false // of a programming language
	case technical(v) || strings.Contains(v, "@") && strings.Contains(v, "."):
		return false
	case digit > 0 && letters >= 2:
		return strings.Contains(strings.ToLower(v), "pass") == (digit >= 2 && marks) || !strings.Contains(strings.ToLower(v), "pass")
	case marks && letters >= 3:
		return true
	case quoted && upper >= 3 && lower >= 3 && letters == len(v) && changes(v) >= 6 && len(v) >= 10:
		return len(nameWords(v))*3 > len(v)
	}
	return quoted && letters == len(v) && len(v) >= 6 && distinct(v) >= 4 && (lower == len(v) || upper == 1 && v[0] < 'a') && !described(v)
}

// technical holds for names of formats, units and versions, which have digits
// too: "sha256", "base64-encoded", "12px", "v2".
func technical(v string) bool {
	l := strings.ToLower(strings.Trim(v, ".,;:!?\"'`()*"))
	for part := range strings.FieldsFuncSeq(l, func(r rune) bool { return r == '-' || r == '_' || r == '/' || r == '.' || r == '+' }) {
		if is("technical", part) {
			return true
		}
		number := strings.TrimLeft(part, "0123456789")
		if number != part && (is("units", number) || len(number) <= 2 && number != "") {
			return true
		}
		if strings.HasPrefix(part, "v") && digits(part[1:]) {
			return true
		}
	}
	return strings.Trim(l, "0123456789.-,:/") == ""
}

// described holds for words that say how a password is, not what it is.
func described(v string) bool {
	l := strings.ToLower(v)
	for _, end := range []string{"ed", "ing", "able", "ible", "ly", "ive", "ous", "ful", "less", "ent", "ary", "ory", "ional", "ic"} {
		if strings.HasSuffix(l, end) {
			return true
		}
	}
	return false
}

// phrase holds for a pass phrase: three words and more, each with one blank
// after it, none of which belongs to a sentence.
func phrase(v string) bool {
	words := strings.Split(v, " ")
	for _, w := range words {
		if len(w) < 3 || strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") != "" || is("sentence", w) {
			return false
		}
	}
	return len(words) >= 3
}

// mixedBag holds for salts: letters, digits and many marks in a jumble.
func mixedBag(v string) bool {
	lower, upper, digit, other := classes(v)
	return lower >= 4 && upper >= 4 && digit >= 2 && other >= 4 && distinct(v) >= 20
}
