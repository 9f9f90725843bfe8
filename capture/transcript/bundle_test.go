package transcript

import (
	"bytes"
	"encoding/json"
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

// TestBundleLimit: what stands before a message over the limit is read, and it is not held.
func TestBundleLimit(t *testing.T) {
	const begin = `{"info":{"id":"ses_1"},"messages":[{"a":1},`
	document := begin + `{"b":"` + strings.Repeat("x", 1<<20) + `"},{"c":3}]}`
	b := newBundle(strings.NewReader(document), OpenCode)
	b.limit = 1 << 10
	lines, err := io.ReadAll(b)
	if want := `{"bundle":"opencode","session":"ses_1","message":{"a":1}}` + "\n"; string(lines) != want || err != nil {
		t.Errorf("%q, %v", lines, err)
	}
}

// TestBundleBroken: what is whole of a document that is cut off, or is no JSON from some place
// on, is read.
func TestBundleBroken(t *testing.T) {
	for _, end := range []string{``, `{"b`, `nonsense`, `{"b":}`, "{\"b\":\"\n\"}]}"} {
		lines, err := io.ReadAll(newBundle(strings.NewReader(`{"messages":[{"a":1},`+end), Gemini))
		if want := `{"bundle":"gemini-cli","message":{"a":1}}` + "\n"; string(lines) != want || err != nil {
			t.Errorf("%s: %q, %v", end, lines, err)
		}
	}
	for _, document := range []string{``, `{`, `[]`, `{"messages":{}}`, `{"a":1}`, `{"a":1,`, `nonsense`} {
		if lines, err := io.ReadAll(newBundle(strings.NewReader(document), Gemini)); len(lines) > 0 || err != nil {
			t.Errorf("%s: %q, %v", document, lines, err)
		}
	}
}

// tighten removes white space between the tokens of a document.
func tighten(data []byte) []byte {
	var out bytes.Buffer
	_ = json.Compact(&out, data)
	return out.Bytes()
}
