package cachefile

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const magic = "CTX0"

func encoded(sections ...string) string {
	list := make([][]byte, len(sections))
	for i, s := range sections {
		list[i] = []byte(s)
	}
	return string(Format{magic, 3}.Encode(list...))
}

func TestFormat(t *testing.T) {
	f := Format{magic, 3}
	for _, sections := range [][]string{nil, {""}, {"one"}, {"", "two", strings.Repeat("three", 1000)}} {
		got, rest, err := f.Decode(encoded(sections...) + "records")
		if diff := cmp.Diff(sections, got); diff != "" || rest != "records" || err != nil {
			t.Errorf("rest %q, %v, sections (-want +got):\n%s", rest, err, diff)
		}
		if _, err := f.DecodeWhole(encoded(sections...), len(sections)); err != nil {
			t.Errorf("%q: %v", sections, err)
		}
	}
}

// TestFormatDamage changes each bit of a file, cuts it everywhere, and has files
// of other formats.
func TestFormatDamage(t *testing.T) {
	f, good := Format{magic, 3}, encoded("section", "and another")
	for i := range len(good) {
		for bit := range 8 {
			bad := []byte(good)
			bad[i] ^= 1 << bit
			if _, _, err := f.Decode(string(bad)); err == nil {
				t.Errorf("bit %d of byte %d changed, and nobody saw it", bit, i)
			}
		}
		if _, _, err := f.Decode(good[:i]); err == nil {
			t.Errorf("cut after %d bytes, and nobody saw it", i)
		}
	}
	if _, _, err := (Format{magic, 4}).Decode(good); err == nil || err.Error() != "version 3 instead of 4" {
		t.Errorf("another version: %v", err)
	}
	if _, _, err := (Format{"CTX1", 3}).Decode(good); err == nil || err.Error() != `magic "CTX0" instead of "CTX1"` {
		t.Errorf("another format: %v", err)
	}
	if _, err := f.DecodeWhole(good+"x", 2); !errors.Is(err, ErrDamaged) {
		t.Errorf("a byte too many: %v", err)
	}
	if _, err := f.DecodeWhole(good, 1); !errors.Is(err, ErrDamaged) {
		t.Errorf("a section too many: %v", err)
	}
}

func FuzzFormat(f *testing.F) {
	f.Add(encoded("section", "and another") + "rest")
	f.Fuzz(func(t *testing.T, s string) {
		sections, rest, err := Format{magic, 3}.Decode(s)
		if err != nil {
			return
		}
		if again := encoded(sections...) + rest; again != s {
			t.Fatalf("%q became %q", s, again)
		}
	})
}

func TestReader(t *testing.T) {
	b := AppendString(nil, "text")
	b = append(b, 2)
	b = AppendString(AppendString(b, "a"), "b")
	b = append(b, 1, 2, 3, 4)
	r := Reader{Rest: string(b)}
	if got := r.Text(); got != "text" {
		t.Errorf("Text = %q", got)
	}
	if diff := cmp.Diff([]string{"a", "b"}, r.Strings()); diff != "" {
		t.Error(diff)
	}
	if got := r.Fixed(4); got != 0x04030201 || r.Err != nil || r.Rest != "" {
		t.Errorf("Fixed = %x, %v, rest %q", got, r.Err, r.Rest)
	}
	if r.Byte() != 0 || r.Err == nil {
		t.Error("read behind the end")
	}
	for _, s := range []string{"\x05abc", "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", "\xff", "\x80\x80\x80\x80\x08"} {
		if r := (Reader{Rest: s}); r.Text() != "" || r.Err == nil {
			t.Errorf("%q is a text", s)
		}
	}
}

func TestSound(t *testing.T) {
	s := string(AppendSum([]byte("record")))
	if !Sound(s) || Sound(s[1:]) || Sound("x"+s) || Sound("abc") || !Sound(string(AppendSum(nil))) {
		t.Error("checksums do not tell")
	}
}
