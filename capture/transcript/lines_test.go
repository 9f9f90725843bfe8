package transcript

import (
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestLineReader(t *testing.T) {
	long := strings.Repeat("x", 300<<10)
	for _, c := range []struct {
		name, in string
		limit    int
		want     []string
		offset   int64
	}{
		{"empty", "", 0, nil, 0},
		{"two lines", "a\nb\n", 0, []string{"a", "b"}, 4},
		{"crlf", "a\r\nb\r\n", 0, []string{"a", "b"}, 6},
		{"torn tail is left", "a\n{\"b\":", 0, []string{"a"}, 2},
		{"whole object without a break is taken", "a\n{\"b\":1}", 0, []string{"a", `{"b":1}`}, 9},
		{"longer than the buffer", long + "\nb\n", 0, []string{long, "b"}, int64(len(long)) + 3},
		{"over the limit", long + "\nb\n", 280 << 10, []string{"", "b"}, int64(len(long)) + 3},
		{"torn and over the limit", "a\n" + long, 280 << 10, []string{"a"}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			l := newLineReader(strings.NewReader(c.in), 0, 0)
			if c.limit > 0 {
				l.limit = c.limit
			}
			var got []string
			for {
				line, _, err := l.next()
				if err == io.EOF {
					break
				}
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, string(line))
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d[:min(len(d), 400)])
			}
			if l.offset != c.offset {
				t.Errorf("offset %d, want %d", l.offset, c.offset)
			}
		})
	}
}
