package transcript

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for raw, want := range map[string]string{
		`"plain"`:                 "plain",
		`"a\nb \"c\" \\"`:         "a\nb \"c\" \\",
		`"\ud83d\ude00 \u00e9"`:   "😀 é",
		"\"bad \xff utf8\"":       "bad \uFFFD utf8",
		"\"raw\ncontrol\"":        "raw\ncontrol",
		`12`:                      "",
		`"open`:                   "",
		`"lone \ud800 surrogate"`: "lone \uFFFD surrogate",
	} {
		if got := text([]byte(raw)); got != want {
			t.Errorf("text(%q) = %q, want %q", raw, got, want)
		}
	}
}

func TestTextIsCut(t *testing.T) {
	long := `"` + strings.Repeat(`\\\"x`, stringLimit/3) + `"`
	got := text([]byte(long))
	if len(got) == 0 || len(got) > stringLimit || !strings.HasPrefix(got, `\"x\"x`) {
		t.Errorf("text of %d bytes gave %d bytes", len(long), len(got))
	}
}

// FuzzScan holds the scanner to encoding/json: on valid objects it finds the
// same members, on anything else it does not panic.
func FuzzScan(f *testing.F) {
	for _, s := range []string{
		`{"a":1,"b":"x\"y","c":[1,{"d":"e"}],"f":null}`, `{}`, `{"a":{"b":[[]]}}`, `{"a":"\\"}`, `[1,2]`,
		`{"a" : true , "a":2}`, `{"a":1e5,"":""}`, `{"a":`, "{\"\\u0061\":\"\xff\"}",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		got := map[string]string{}
		ok := eachField(data, func(key string, val []byte) bool {
			got[key] = string(val)
			text(val)
			eachElem(val, func([]byte) bool { return true })
			return true
		})
		var want map[string]json.RawMessage
		if !json.Valid(data) || json.Unmarshal(data, &want) != nil || want == nil {
			return
		}
		if !ok {
			t.Fatalf("valid object not read: %q", data)
		}
		for key, raw := range got {
			k := text([]byte(`"` + key + `"`))
			if _, found := want[k]; !found && utf8.Valid(data) {
				t.Fatalf("key %q of %q is not one of json's", key, data)
			}
			var a, b any
			if !json.Valid([]byte(raw)) {
				t.Fatalf("value %q of %q is not valid", raw, data)
			}
			_ = json.Unmarshal([]byte(raw), &a)
			if len(want) == len(got) && json.Unmarshal(want[k], &b) == nil {
				x, _ := json.Marshal(a)
				y, _ := json.Marshal(b)
				if !bytes.Equal(x, y) {
					t.Fatalf("value of %q: %s, json says %s", key, x, y)
				}
			}
		}
	})
}
