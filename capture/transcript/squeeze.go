package transcript

// squeezer copies one JSON value without the white space between its tokens.
type squeezer struct {
	out    []byte
	limit  int
	over   bool // the limit was passed; nothing is copied any more
	depth  int
	quoted bool // inside a string
	escape bool // after a backslash
	scalar bool // of depth 0: inside a number, true, false or null
	closed bool // a string, an object or an array has ended
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
			if i = s.inside(chunk, i); s.ended() {
				return i, true
			}
			continue
		}
		if s.endsBefore(chunk[i]) {
			return i, true
		}
		s.token(chunk[i])
		if i++; s.ended() {
			return i, true
		}
	}
	return len(chunk), false
}

// ended reports whether the string, the object or the array that is the value was closed.
func (s *squeezer) ended() bool { return s.closed && s.depth == 0 && !s.quoted }

// endsBefore reports whether the value ends before a byte, which is no part of it.
func (s *squeezer) endsBefore(c byte) bool {
	if s.depth > 0 {
		return false
	}
	switch c {
	case ',', ':', '}', ']':
		return true
	case '"', '{', '[':
		return s.scalar
	}
	return isSpace(c)
}

// token copies a byte outside of strings, unless it is white space.
func (s *squeezer) token(c byte) {
	if isSpace(c) {
		return
	}
	switch c {
	case ',', ':':
	case '"':
		s.quoted = true
	case '{', '[':
		s.depth++
	case '}', ']':
		s.depth--
		s.closed = true
	default:
		s.scalar = true
	}
	s.put(c)
}

// inside copies the part of a string that chunk holds and gives the index
// after it. A raw control character, which JSON forbids, becomes a space.
func (s *squeezer) inside(chunk []byte, i int) int {
	for i < len(chunk) && s.quoted {
		if s.escape {
			s.escape = false
			s.put(max(chunk[i], ' '))
			i++
			continue
		}
		end := i
		for end < len(chunk) && isPlain(chunk[end]) {
			end++
		}
		s.put(chunk[i:end]...)
		if i = end; i == len(chunk) {
			break
		}
		switch chunk[i] {
		case '"':
			s.quoted, s.closed = false, true
		case '\\':
			s.escape = true
		}
		s.put(max(chunk[i], ' '))
		i++
	}
	return i
}

// isPlain reports whether a byte in a string is copied as it stands.
func isPlain(c byte) bool { return c != '"' && c != '\\' && c >= ' ' }
