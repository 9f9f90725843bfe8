package redact

import "strings"

// Private splits what a person typed into what may be kept and what they marked
// as private: whatever stands between <private> and </private>, in any case and
// with attributes. Tags nest. One that is never closed hides everything to the
// end, and one that was never opened everything before it. A tag that stands
// alone in a code span is only spoken of.
//
// The parts are the passages between the outermost tags, in order.
func Private(s string) (kept string, parts []string) {
	if !strings.Contains(s, "<") || !containsFold(s, "private") {
		return s, nil
	}
	var b strings.Builder
	depth, from, at := 0, 0, 0 // from is where what is at hand begins, kept or private
	hide := func(to int) {
		if part := strings.TrimSpace(s[from:to]); part != "" {
			parts = append(parts, part)
		}
	}
	for {
		tag, ok := nextTag(s, at)
		if !ok {
			break
		}
		at = tag.to
		switch {
		case tag.spoken(s) && depth == 0, tag.empty:
		case !tag.shuts && depth == 0:
			b.WriteString(s[from:tag.from])
			depth, from = 1, tag.to
		case !tag.shuts:
			depth++
		case depth > 1:
			depth--
		default:
			hide(tag.from)
			depth, from = 0, tag.to
		}
	}
	if depth > 0 {
		hide(len(s))
	} else {
		b.WriteString(s[from:])
	}
	return strings.TrimSpace(b.String()), parts
}

// privateTag is a tag of private text.
type privateTag struct {
	from, to     int
	shuts, empty bool
}

// spoken reports whether a tag stands alone in a code span.
func (t privateTag) spoken(s string) bool {
	return t.from > 0 && s[t.from-1] == '`' && t.to < len(s) && s[t.to] == '`'
}

const privateWord = "private"

// nextTag finds the next <private> or </private>. One whose angle is never shut
// reaches to the end of its word: what follows is private in any case.
func nextTag(s string, at int) (privateTag, bool) {
	for {
		i := strings.IndexByte(s[at:], '<')
		if i < 0 {
			return privateTag{}, false
		}
		t := privateTag{from: at + i}
		at = t.from + 1
		j := blanks(s, at)
		if j < len(s) && s[j] == '/' {
			t.shuts = true
			j = blanks(s, j+1)
		}
		if len(s)-j < len(privateWord) || !strings.EqualFold(s[j:j+len(privateWord)], privateWord) {
			continue
		}
		j += len(privateWord)
		if j < len(s) && strings.IndexByte(" \t\r\n/>", s[j]) < 0 {
			continue
		}
		t.to = j
		if k := strings.IndexAny(s[j:], "<>"); k >= 0 && s[j+k] == '>' {
			t.to = j + k + 1
			t.empty = !t.shuts && s[j+k-1] == '/'
		}
		return t, true
	}
}

// privateText looks, at the first "<private", at all private text: what stands
// between two tags is private, whoever wrote it. What is never closed may be any
// markup.
func (x *search) privateText(at int, _ *watch) {
	if x.tagged {
		return
	}
	x.tagged = true
	var open []int
	for {
		tag, ok := nextTag(x.s, at)
		if !ok {
			return
		}
		at = tag.to
		switch n := len(open); {
		case tag.empty || tag.spoken(x.s):
		case !tag.shuts:
			open = append(open, tag.from)
		case n > 0:
			x.add("private", open[n-1], tag.to) // the outer one covers the inner ones
			open = open[:n-1]
		}
	}
}

// containsFold reports whether s holds a word of small letters, in any case.
func containsFold(s, word string) bool {
	for i := 0; i+len(word) <= len(s); i++ {
		if s[i]|0x20 == word[0] && strings.EqualFold(s[i:i+len(word)], word) {
			return true
		}
	}
	return false
}
