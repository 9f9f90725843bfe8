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
	for i < len(b) && isSpace(b[i]) {
		i++
	}
	return i
}

func isSpace(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r':
		return true
	}
	return false
}

// isAt reports whether c is the byte at b[i].
func isAt(b []byte, i int, c byte) bool { return i < len(b) && b[i] == c }

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
	if i < 0 || i >= len(b) {
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
func eachField(b []byte, f func(key string, val []byte) bool) bool { return walk(b, '{', f) }

// eachElem calls f with each raw element of the array b until f returns false.
func eachElem(b []byte, f func(val []byte) bool) bool {
	return walk(b, '[', func(_ string, val []byte) bool { return f(val) })
}

// walk is [eachField] for what opens with a brace, and [eachElem] for what opens
// with a bracket.
func walk(b []byte, open byte, f func(key string, val []byte) bool) bool {
	i := skipSpace(b, 0)
	if !isAt(b, i, open) {
		return false
	}
	closing := open + 2 // in ASCII
	i = skipSpace(b, i+1)
	if isAt(b, i, closing) {
		return true
	}
	for i < len(b) {
		key := ""
		if open == '{' {
			key, i = keyAt(b, i)
		}
		end := skipValue(b, i)
		if end < 0 {
			return false
		}
		if !f(key, b[i:end]) {
			return true
		}
		if i = skipSpace(b, end); isAt(b, i, closing) {
			return true
		}
		if !isAt(b, i, ',') {
			return false
		}
		i = skipSpace(b, i+1)
	}
	return false
}

// keyAt reads the key of the member that starts at b[i]. It gives the key without
// quotes, and where the value starts, or -1.
func keyAt(b []byte, i int) (key string, value int) {
	if !isAt(b, i, '"') {
		return "", -1
	}
	end := skipString(b, i)
	if end < 0 {
		return "", -1
	}
	colon := skipSpace(b, end)
	if !isAt(b, colon, ':') {
		return "", -1
	}
	return string(b[i+1 : end-1]), skipSpace(b, colon+1)
}

// member is a member of an object that is looked for, and where its raw value goes.
type member struct {
	key string
	to  *[]byte
}

// members reads some members of the object b in one pass. What is not there is left as it
// is; of a key that is there twice, the last counts. It reports whether b was an object
// that could be read to its end.
func members(b []byte, wanted ...member) bool {
	return eachField(b, func(key string, val []byte) bool {
		for _, m := range wanted {
			if m.key == key {
				*m.to = val
			}
		}
		return true
	})
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

// firstElem gives the first element of an array, nil when there is none.
func firstElem(b []byte) []byte {
	var first []byte
	eachElem(b, func(val []byte) bool {
		first = val
		return false
	})
	return first
}

// texts decodes the strings of an array, at most limit of its elements.
func texts(list []byte, limit int) []string {
	var out []string
	eachElem(list, func(val []byte) bool {
		out = append(out, text(val))
		return len(out) < limit
	})
	return out
}

// isTrue reports whether a raw value is true.
func isTrue(raw []byte) bool { return string(raw) == "true" }

// text decodes a raw JSON string; anything else is "". Invalid UTF-8 becomes
// U+FFFD, and what lies beyond stringLimit is cut off.
func text(raw []byte) string {
	if !isString(raw) {
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

func isString(raw []byte) bool { return len(raw) >= 2 && raw[0] == '"' && raw[len(raw)-1] == '"' }

// longestEscape is that of a character beyond the first plane, in bytes.
const longestEscape = 12

// cutRaw shortens a raw string without cutting through an escape.
func cutRaw(raw []byte) []byte {
	head := raw[:stringLimit-longestEscape]
	if i := bytes.LastIndexByte(raw[len(head):stringLimit], '\\'); i >= 0 {
		head = bytes.TrimRight(raw[:len(head)+i], `\`)
	}
	return append(bytes.Clone(head), '"')
}
