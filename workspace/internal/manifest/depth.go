package manifest

import "bytes"

// maxDepth is how deep brackets and dotted keys of a TOML file may be nested.
// Manifests need six levels. The reader of TOML takes time and memory that grow
// with the square of the depth: 80,000 nested tables in 240 kB end the process.
const maxDepth = 32

// tooDeep reports whether brackets of a TOML file are nested, or a key has parts,
// beyond maxDepth. It takes strings and comments as the reader of TOML does, up
// to the first error in the file, where that reader stops.
func tooDeep(data []byte) bool {
	brackets, dots := 0, 0
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case '#':
			i += lineEnd(data[i:]) - 1
		case '"', '\'':
			i += stringEnd(data[i:]) - 1
		case '.':
			dots++
		case '[', '{':
			brackets++
			dots = 0
		case ']', '}':
			brackets = max(brackets-1, 0)
			dots = 0
		case '\n', '=', ',':
			dots = 0
		}
		if max(brackets, dots) > maxDepth {
			return true
		}
	}
	return false
}

// lineEnd returns where the line that data begins with ends, without its line
// feed.
func lineEnd(data []byte) int {
	if i := bytes.IndexByte(data, '\n'); i >= 0 {
		return i
	}
	return len(data)
}

// stringEnd returns how long the string is that data begins with: a basic or a
// literal one, of one or of several lines. Only a basic one has escapes.
func stringEnd(data []byte) int {
	quote, many := data[:1], bytes.Repeat(data[:1], 3)
	end := quote
	if bytes.HasPrefix(data, many) {
		end = many
	}
	for i := len(end); i < len(data); i++ {
		switch {
		case data[i] == '\\' && quote[0] == '"':
			i++
		case data[i] == '\n' && len(end) == 1:
			return i // an error of the file
		case bytes.HasPrefix(data[i:], end):
			rest := data[i+len(end):]
			more := len(rest) - len(bytes.TrimLeft(rest, string(quote)))
			return i + len(end) + min(more, len(end)-1) // up to two more belong to the text
		}
	}
	return len(data)
}
