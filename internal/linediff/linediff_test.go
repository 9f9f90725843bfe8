package linediff

import (
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	for _, c := range []struct{ was, now, want string }{
		{"", "", ""},
		{"a b d", "a c d", " a -b +c  d"},
		{"", "x y", "+x +y"},
		{"x y", "", "-x -y"},
		{"a b c a", "b c a b", "-a  b  c  a +b"},
		{"a a", "a a", " a  a"},
	} {
		var got []string
		for _, l := range Compare(strings.Fields(c.was), strings.Fields(c.now)) {
			got = append(got, l.Sign+l.Text)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%q to %q: %q, want %q", c.was, c.now, s, c.want)
		}
	}
}
