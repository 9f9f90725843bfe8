package folder

import (
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/git-cortex/cortex/internal/lazy"
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
func ignorable(r rune) bool { return unicode.Is(passedOver(), r) }

var passedOver = lazy.Value(func() *unicode.RangeTable {
	return &unicode.RangeTable{R16: []unicode.Range16{
		{Lo: 0x200c, Hi: 0x200f, Stride: 1},
		{Lo: 0x202a, Hi: 0x202e, Stride: 1},
		{Lo: 0x206a, Hi: 0x206f, Stride: 1},
		{Lo: 0xfeff, Hi: 0xfeff, Stride: 1},
	}}
})

// ShortOf reports whether a name may be the short one that NTFS gives to another: up to six
// of its letters, or two and hexadecimal digits of a sum, then a tilde and a number. Letters
// that are not of ASCII become others there, so they are not compared.
func ShortOf(short, name string) bool {
	parts := shortName().FindStringSubmatch(foldedName(short))
	if parts == nil || len(parts[1]) > len("LETTER") {
		return false
	}
	head, number := parts[1], parts[2]
	if isSummed(head, number) {
		head = head[:2]
	}
	return beginsLike(name, head)
}

// isSummed reports whether a head of a short name may end in digits of a sum. A long number leaves
// room for fewer of them.
func isSummed(head, number string) bool {
	isWhole := len(head) == len("LETTER") || len(head)+len("~")+len(number) == len("LETTER~1")
	return isWhole && summed().MatchString(head)
}

// shortName takes a short name apart, and summed matches one that has digits of a sum.
var (
	shortName = lazy.Pattern(`(?s)^([^~]{1,6})~([0-9]+)(?:\..*)?$`)
	summed    = lazy.Pattern(`(?s)^..[0-9A-F]+$`)
)

// beginsLike reports whether the letters that NTFS takes from a name may begin with head.
func beginsLike(name, head string) bool {
	letters, first := []rune(strings.NewReplacer(".", "", " ", "").Replace(foldedName(name))), []rune(head)
	letters = letters[:min(len(first), len(letters))]
	return slices.EqualFunc(first, letters, takenFor)
}

// takenFor reports whether NTFS may write r for a letter.
func takenFor(r, letter rune) bool {
	return r == letter || r == '_' || max(r, letter) > unicode.MaxASCII
}
