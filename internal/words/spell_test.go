package words

import "testing"

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"", "ab", 2}, {"cache", "cahce", 1}, {"cache", "catch", 2}, {"kitten", "sitting", 3}, {"größe", "grösse", 2}} {
		if got := NewNear(c.a, 3).Distance(c.b); got != c.want {
			t.Errorf("%q and %q are %d apart, want %d", c.a, c.b, got, c.want)
		}
	}
}
