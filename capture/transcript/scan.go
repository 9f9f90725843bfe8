package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
	"unicode/utf8"
)

// This file reads JSON without building it: transcripts are mostly tool output
// that nobody needs, and stepping over a long string is one search for a
// quote. It accepts all valid JSON; on anything else it gives up or gives back
// less, and never reads outside its input. FuzzScan holds it to encoding/json.

// stringLimit bounds how much of one string is decoded.
const stringLimit = 512 << 10

// skipSpace gives the index of the next byte that is not white space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// skipString gives the index after the string that starts at b[i], or -1.
func skipString(b []byte, i int) int {
	for j := i + 1; j < len(b); {
		k := bytes.IndexByte(b[j:], '"')
		if k < 0 {
			return -1
		}
		end := j + k
		back := end - 1
		for back > i && b[back] == '\\' {
			back--
		}
		if (end-1-back)%2 == 0 {
			return end + 1
		}
		j = end + 1
	}
	return -1
}

// skipValue gives the index after the value that starts at b[i], or -1.
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipNested(b, i)
	}
	j := i
	for j < len(b) {
		switch b[j] {
		case ',', '}', ']', ' ', '\t', '\n', '\r':
			if j == i {
				return -1
			}
			return j
		case '"', '{', '[', ':':
			return -1
		}
		j++
	}
	return j
}

func skipNested(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

// eachField calls f with the raw key, without quotes, and the raw value of
// each member of the object b, until f returns false. It reports whether b was
// an object that could be read to its end.
func eachField(b []byte, f func(key string, val []byte) bool) bool {
	i := skipSpace(b, 0)
	if i >= len(b) || b[i] != '{' {
		return false
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == '}' {
		return true
	}
	for i < len(b) && b[i] == '"' {
		end := skipString(b, i)
		if end < 0 {
			return false
		}
		key := b[i+1 : end-1]
		if i = skipSpace(b, end); i >= len(b) || b[i] != ':' {
			return false
		}
		i = skipSpace(b, i+1)
		if end = skipValue(b, i); end < 0 {
			return false
		}
		if !f(string(key), b[i:end]) {
			return true
		}
		i = skipSpace(b, end)
		if i < len(b) && b[i] == '}' {
			return true
		}
		if i >= len(b) || b[i] != ',' {
			return false
		}
		i = skipSpace(b, i+1)
	}
	return false
}

// eachElem calls f with each raw element of the array b until f returns false.
func eachElem(b []byte, f func(val []byte) bool) bool {
	i := skipSpace(b, 0)
	if i >= len(b) || b[i] != '[' {
		return false
	}
	i = skipSpace(b, i+1)
	if i < len(b) && b[i] == ']' {
		return true
	}
	for i < len(b) {
		end := skipValue(b, i)
		if end < 0 {
			return false
		}
		if !f(b[i:end]) {
			return true
		}
		i = skipSpace(b, end)
		if i < len(b) && b[i] == ']' {
			return true
		}
		if i >= len(b) || b[i] != ',' {
			return false
		}
		i = skipSpace(b, i+1)
	}
	return false
}

// field gives the raw value at a path of keys, nil when there is none.
func field(b []byte, path ...string) []byte {
	for _, want := range path {
		var found []byte
		eachField(b, func(key string, val []byte) bool {
			if key == want {
				found = val
				return false
			}
			return true
		})
		if b = found; b == nil {
			return nil
		}
	}
	return b
}

// isTrue reports whether a raw value is true.
func isTrue(raw []byte) bool { return string(raw) == "true" }

// text decodes a raw JSON string; anything else is "". Invalid UTF-8 becomes
// U+FFFD, and what lies beyond stringLimit is cut off.
func text(raw []byte) string {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return ""
	}
	if len(raw) > stringLimit {
		raw = cutRaw(raw)
	}
	body := raw[1 : len(raw)-1]
	if bytes.IndexByte(body, '\\') < 0 && utf8.Valid(body) {
		return string(body)
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	return s
}

// cutRaw shortens a raw string without cutting through an escape.
func cutRaw(raw []byte) []byte {
	cut := stringLimit
	for back := 0; back < 12 && cut > 1; back++ {
		if raw[cut-1] == '\\' {
			for cut > 1 && raw[cut-1] == '\\' {
				cut--
			}
			break
		}
		cut--
	}
	out := make([]byte, 0, cut+1)
	return append(append(out, raw[:cut]...), '"')
}
