package memory

import (
	"fmt"
	"strings"
)

// Change is one key by which two versions of a memory differ, with both values as a
// reader sees them. The text has the key "text".
type Change struct {
	Key string `json:"key"`
	Was string `json:"was"`
	Now string `json:"now"`
}

// Changes lists the keys by which two versions of a memory differ, in canonical order.
func Changes(was, now *Memory) []Change {
	var out []Change
	for _, f := range Fields() {
		if a, b := shown(f.JSON(was)), shown(f.JSON(now)); a != b {
			out = append(out, Change{f.Key, a, b})
		}
	}
	if was.Text != now.Text {
		out = append(out, Change{"text", was.Text, now.Text})
	}
	if was.Unknown != now.Unknown {
		out = append(out, Change{"other keys", was.Unknown, now.Unknown})
	}
	return out
}

// shown is a value as people read it: without the brackets of a list, and nothing for
// the default.
func shown(v any, given bool) string {
	text := fmt.Sprint(v)
	if !given || text == "<nil>" {
		return ""
	}
	return strings.Trim(text, "[]{}")
}
