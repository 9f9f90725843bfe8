package projection

import (
	"bytes"
	"encoding/json"
	"testing"
)

// TestJSONBytes counts as the encoder does, whatever the text.
func TestJSONBytes(t *testing.T) {
	for _, text := range []string{"", "plain", "a \"b\" \\ c\n\t\r\b\f", "\x00\x1f\x7f", "記憶は日本語でも一行です。", "🧠 \u2028\u2029 <a&b>", "bad \xff\xfe \xe8\xa8", "\ufffd"} {
		var out bytes.Buffer
		enc := json.NewEncoder(&out)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(text); err != nil {
			t.Fatal(err)
		}
		if got, want := jsonBytes(text), out.Len()-len("\"\"\n"); got != want {
			t.Errorf("%q takes %d bytes, counted %d", text, want, got)
		}
	}
}
