package folder

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Folded is the same for all spellings of a path that some file system takes for one file:
// letters of either case, accents composed or not (macOS), code points that are not shown
// (HFS+), dots and blanks at the end of a name, or a colon and what follows it (NTFS). For
// the short names of NTFS see [ShortOf].
func Folded(path string) string {
	names := strings.Split(path, "/")
	for i, name := range names {
		names[i] = foldedName(name)
	}
	return strings.Join(names, "/")
}

func foldedName(name string) string {
	name, _, _ = strings.Cut(name, ":")
	if strings.ContainsFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) {
		name = norm.NFC.String(strings.Map(func(r rune) rune {
			if ignorable(r) {
				return -1
			}
			least := r
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				least = min(least, f)
			}
			return least
		}, norm.NFD.String(name)))
	} else {
		name = strings.ToUpper(name)
	}
	return strings.TrimRight(name, " .")
}

// ignorable reports whether HFS+ passes over a code point where it compares names; the
// list is that of git's own protection of .git (utf8.c, next_hfs_char).
func ignorable(r rune) bool {
	return r >= '\u200c' && r <= '\u200f' || r >= '\u202a' && r <= '\u202e' || r >= '\u206a' && r <= '\u206f' || r == '\ufeff'
}

// ShortOf reports whether a name may be the short one that NTFS gives to another: up to six
// of its letters, or two and hexadecimal digits of a sum, then a tilde and a number. Letters
// that are not of ASCII become others there, so they are not compared.
func ShortOf(short, name string) bool {
	head, number, ok := strings.Cut(foldedName(short), "~")
	number, _, _ = strings.Cut(number, ".")
	if !ok || len(head) == 0 || len(head) > 6 || number == "" || strings.Trim(number, "0123456789") != "" {
		return false
	}
	if beginsLike(name, head) {
		return true
	}
	whole := len(head) == 6 || len(head)+len("~")+len(number) == 8 // a long number leaves room for fewer digits
	return whole && len(head) > 2 && strings.Trim(head[2:], "0123456789ABCDEF") == "" && beginsLike(name, head[:2])
}

// beginsLike reports whether the letters that NTFS takes from a name may begin with head.
func beginsLike(name, head string) bool {
	var letters []rune
	for _, r := range foldedName(name) {
		if r != '.' && r != ' ' {
			letters = append(letters, r)
		}
	}
	for i, r := range []rune(head) {
		if i >= len(letters) || r != letters[i] && r <= unicode.MaxASCII && letters[i] <= unicode.MaxASCII && r != '_' {
			return false
		}
	}
	return true
}
