package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
)

// A tokenizer.json is mostly its vocabulary, 0.7 MB for thirty thousand tokens,
// and every process that embeds a query reads it. encoding/json takes 20 ms for
// that; jsonText walks it in one, cutting the strings from the file, and leaves
// everything small to encoding/json.

var errJSON = errors.New("not well-formed JSON")

// maxJSONDepth bounds how deep skipping goes.
const maxJSONDepth = 64

// jsonText is a text being read. After an error nothing more is read.
type jsonText struct {
	s   string
	at  int
	err error
}

func (j *jsonText) fail() {
	if j.err == nil {
		j.err = fmt.Errorf("%w at byte %d", errJSON, j.at)
	}
	j.at = len(j.s)
}

// peek is the next byte that is not white space; 0 at the end.
func (j *jsonText) peek() byte {
	for j.at < len(j.s) {
		switch c := j.s[j.at]; c {
		case ' ', '\t', '\n', '\r':
			j.at++
		default:
			return c
		}
	}
	return 0
}

// take reads c.
func (j *jsonText) take(c byte) {
	if j.peek() != c {
		j.fail()
		return
	}
	j.at++
}

// list calls visit at every element between open and the byte that closes it.
func (j *jsonText) list(open, shut byte, visit func()) {
	j.take(open)
	if j.err == nil && j.peek() == shut {
		j.at++
		return
	}
	for j.err == nil {
		visit()
		switch {
		case j.err != nil:
		case j.peek() == ',':
			j.at++
		case j.peek() == shut:
			j.at++
			return
		default:
			j.fail()
		}
	}
}

// array calls visit at every element, which it must read.
func (j *jsonText) array(visit func()) { j.list('[', ']', visit) }

// object calls visit at every value, which it must read.
func (j *jsonText) object(visit func(key string)) {
	j.list('{', '}', func() {
		key := j.text()
		j.take(':')
		if j.err == nil {
			visit(key)
		}
	})
}

// text reads a string. Without escapes it is cut from the file.
func (j *jsonText) text() string {
	j.take('"')
	from, plain := j.at, true
	for j.at < len(j.s) {
		switch c := j.s[j.at]; {
		case c == '"':
			s := j.s[from:j.at]
			j.at++
			if plain {
				return s
			}
			var out string
			if json.Unmarshal([]byte(j.s[from-1:j.at]), &out) != nil {
				j.fail()
			}
			return out
		case c == '\\':
			plain = false
			j.at += 2
		case c < ' ':
			j.fail()
		default:
			j.at++
		}
	}
	j.fail()
	return ""
}

// scalar reads a number, true, false or null as it is written.
func (j *jsonText) scalar() string {
	j.peek()
	from := j.at
	for j.at < len(j.s) {
		switch c := j.s[j.at]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'z', c == '-', c == '+', c == '.', c == 'E':
			j.at++
			continue
		}
		break
	}
	if from == j.at {
		j.fail()
		return ""
	}
	return j.s[from:j.at]
}

// integer reads a number without fraction that is at least 0.
func (j *jsonText) integer() int {
	n, err := strconv.ParseInt(j.scalar(), 10, 32)
	if err != nil || n < 0 {
		j.fail()
		return 0
	}
	return int(n)
}

// number reads a number.
func (j *jsonText) number() float64 {
	f, err := strconv.ParseFloat(j.scalar(), 64)
	if err != nil {
		j.fail()
	}
	return f
}

// skip reads a value and returns it as it is written.
func (j *jsonText) skip() string {
	j.peek()
	from := j.at
	j.pass(0)
	if j.err != nil {
		return ""
	}
	return j.s[from:j.at]
}

func (j *jsonText) pass(depth int) {
	if depth > maxJSONDepth {
		j.fail()
		return
	}
	switch j.peek() {
	case '{':
		j.object(func(string) { j.pass(depth + 1) })
	case '[':
		j.array(func() { j.pass(depth + 1) })
	case '"':
		j.text()
	default:
		j.scalar()
	}
}

// decode reads a value with encoding/json.
func (j *jsonText) decode(into any) {
	raw := j.skip()
	if j.err == nil {
		if err := json.Unmarshal([]byte(raw), into); err != nil {
			j.err = err
			j.at = len(j.s)
		}
	}
}
