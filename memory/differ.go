package memory

import (
	"fmt"
	"slices"
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
	var all []Change
	for _, f := range Fields() {
		all = append(all, Change{f.Key, shown(f.JSON(was)), shown(f.JSON(now))})
	}
	all = append(all, Change{"text", was.Text, now.Text}, Change{"other keys", was.Unknown, now.Unknown})
	return slices.DeleteFunc(all, func(c Change) bool { return c.Was == c.Now })
}

// shown is a value as people read it: without the brackets of a list, and nothing for
// the default.
func shown(v any, given bool) string {
	if !given {
		return ""
	}
	return strings.Trim(fmt.Sprint(v), "[]{}")
}
