package transcript

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

// TestBundleLayout: how a document is laid out does not matter, and a place in
// its lines can be read again.
func TestBundleLayout(t *testing.T) {
	for _, file := range []string{"../testdata/gemini-0.30.0-rota.json", "../testdata/opencode-1.18.33-orchard.json"} {
		data := readFile(t, file)
		lines, err := io.ReadAll(newBundle(bytes.NewReader(data), Detect(data)))
		if err != nil {
			t.Fatal(err)
		}
		tight := tighten(data)
		again, err := io.ReadAll(newBundle(bytes.NewReader(tight), Detect(data)))
		if err != nil || !bytes.Equal(lines, again) {
			t.Errorf("%s: the lines differ without white space (%v)", file, err)
		}
		b := newBundle(bytes.NewReader(data), Detect(data))
		for _, at := range []int64{
			0, 17, int64(len(lines)) - 3, int64(len(lines)) - hashSpan, 900, int64(len(lines)) + 5,
		} {
			if _, err := b.Seek(at, io.SeekStart); err != nil {
				t.Fatal(err)
			}
			rest, err := io.ReadAll(b)
			if err != nil || !bytes.Equal(rest, lines[min(max(at, 0), int64(len(lines))):]) {
				t.Errorf("%s: reading from %d gives other lines (%v)", file, at, err)
			}
		}
	}
}

// TestBundleLimit: a value over the limit is stepped over, not held.
func TestBundleLimit(t *testing.T) {
	b := newBundle(strings.NewReader(`["`+strings.Repeat("x", 1<<20)+`"] , {"a" : "b \" c" }`), "")
	if err := b.restart(); err != nil {
		t.Fatal(err)
	}
	big, whole, err := b.value(nil, 100)
	if err != nil || whole || len(big) > 100 {
		t.Errorf("over the limit: %d bytes, whole %v, %v", len(big), whole, err)
	}
	_, _ = b.peek()
	b.discard(1) // the comma
	if next, whole, err := b.value(nil, 100); string(next) != `{"a":"b \" c"}` || !whole || err != nil {
		t.Errorf("the value after it: %q, whole %v, %v", next, whole, err)
	}
}

// tighten removes white space between the tokens of a document.
func tighten(data []byte) []byte {
	b := newBundle(bytes.NewReader(data), "")
	_ = b.restart()
	out, _, _ := b.value(nil, len(data))
	return out
}
