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
	tags := privateTags(s)
	if len(tags) == 0 {
		return s, nil
	}
	var b strings.Builder
	depth, from := 0, 0 // from is where what is at hand begins, kept or private
	hide := func(to int) {
		if part := strings.TrimSpace(s[from:to]); part != "" {
			parts = append(parts, part)
		}
	}
	for _, tag := range tags {
		switch {
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
	from, to int
	shuts    bool
}

// privateTags finds the tags of private text, but those that are empty or stand alone in a code span.
// One whose angle is never shut reaches to the end of its word: what follows is private in any case.
func privateTags(s string) []privateTag {
	var out []privateTag
	for _, m := range pattern("private-tag").FindAllStringSubmatchIndex(s, -1) {
		tag := privateTag{from: m[0], to: m[4], shuts: m[2] >= 0}
		if m[6] >= 0 {
			tag.to = m[1]
		}
		if !tag.empty(s) && !tag.spoken(s) {
			out = append(out, tag)
		}
	}
	return out
}

// empty reports whether a tag opens nothing.
func (t privateTag) empty(s string) bool { return !t.shuts && strings.HasSuffix(s[:t.to], "/>") }

// spoken reports whether a tag stands alone in a code span.
func (t privateTag) spoken(s string) bool {
	return strings.HasSuffix(s[:t.from], "`") && strings.HasPrefix(s[t.to:], "`")
}

// privateText looks, at the first "<private", at all private text: what stands
// between two tags is private, whoever wrote it. What is never closed may be any
// markup.
func (x *search) privateText(_ int, _ *watch) {
	if x.tagged {
		return
	}
	x.tagged = true
	var open []int
	for _, tag := range privateTags(x.s) {
		switch n := len(open); {
		case !tag.shuts:
			open = append(open, tag.from)
		case n > 0:
			x.add("private", open[n-1], tag.to) // the outer one covers the inner ones
			open = open[:n-1]
		}
	}
}
