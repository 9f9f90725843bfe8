package transcript

// squeezer copies one JSON value without the white space between its tokens.
type squeezer struct {
	out    []byte
	limit  int
	over   bool // the limit was passed; nothing is copied any more
	depth  int
	quoted bool // inside a string
	escape bool // after a backslash
	scalar bool // inside a number, true, false or null
}

func (s *squeezer) put(b ...byte) {
	if s.over = s.over || len(s.out)+len(b) > s.limit; !s.over {
		s.out = append(s.out, b...)
	}
}

// take consumes part of the value and reports how much, and whether the value
// has ended.
func (s *squeezer) take(chunk []byte) (n int, done bool) {
	for i := 0; i < len(chunk); {
		if s.quoted {
			i = s.inside(chunk, i)
			if !s.quoted && s.depth == 0 {
				return i, true
			}
			continue
		}
		switch c := chunk[i]; c {
		case ' ', '\t', '\n', '\r', ',', ':':
			if s.depth == 0 { // ends a scalar
				return i, true
			}
			if c == ',' || c == ':' {
				s.put(c)
			}
		case '"':
			if s.depth == 0 && s.scalar {
				return i, true
			}
			s.quoted = true
			s.put(c)
		case '{', '[':
			if s.depth == 0 && s.scalar {
				return i, true
			}
			s.depth++
			s.put(c)
		case '}', ']':
			if s.depth == 0 {
				return i, true
			}
			s.put(c)
			if s.depth--; s.depth == 0 {
				return i + 1, true
			}
		default:
			s.scalar = s.scalar || s.depth == 0
			s.put(c)
		}
		i++
	}
	return len(chunk), false
}

// inside copies the part of a string that chunk holds and gives the index
// after it. A raw control character, which JSON forbids, becomes a space.
func (s *squeezer) inside(chunk []byte, i int) int {
	for i < len(chunk) {
		j := i
		for j < len(chunk) && chunk[j] != '"' && chunk[j] != '\\' && chunk[j] >= ' ' && !s.escape {
			j++
		}
		s.put(chunk[i:j]...)
		if i = j; i == len(chunk) {
			break
		}
		c := chunk[i]
		i++
		if c < ' ' {
			c = ' '
		}
		s.put(c)
		if s.escape {
			s.escape = false
			continue
		}
		if c == '"' {
			s.quoted = false
			return i
		}
		s.escape = c == '\\'
	}
	return i
}
