package tokenizer

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// A tokenizer.json is mostly its vocabulary, 0.7 MB for thirty thousand tokens,
// and every process that embeds a query reads it. encoding/json takes 20 ms for
// that; jsonText walks it in one, cutting the strings from the file, and leaves
// everything small to encoding/json.

var errJSON = errors.New("not well-formed JSON")

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
	if j.peek() == shut {
		j.at++
		return
	}
	for j.err == nil {
		visit()
		if j.peek() != ',' {
			j.take(shut)
			return
		}
		j.at++
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
	if j.peek() != '"' {
		j.fail()
		return ""
	}
	rest := j.s[j.at+1:]
	if end := strings.IndexFunc(rest, endsPlainText); end >= 0 && rest[end] == '"' {
		j.at += end + 2
		return rest[:end]
	}
	var out string
	j.decode(&out)
	return out
}

// endsPlainText reports whether r ends a string, or may not stand in one as it is.
func endsPlainText(r rune) bool { return r == '"' || r == '\\' || r < ' ' }

// scalar reads a number, true, false or null as it is written.
func (j *jsonText) scalar() string {
	j.peek()
	rest := j.s[j.at:]
	n := len(rest) - len(strings.TrimLeft(rest, "0123456789abcdefghijklmnopqrstuvwxyz-+.E"))
	j.at += n
	return rest[:n]
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
	var raw json.RawMessage
	j.decode(&raw)
	return string(raw)
}

// decode reads a value with encoding/json.
func (j *jsonText) decode(into any) {
	if j.err != nil {
		return
	}
	decoder := json.NewDecoder(strings.NewReader(j.s[j.at:]))
	if err := decoder.Decode(into); err != nil {
		j.err = err
		j.at = len(j.s)
		return
	}
	j.at += int(decoder.InputOffset())
}
