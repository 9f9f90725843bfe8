package main

import (
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRaw: a text that is a secret by one family and none by another counts as clean only
// where that is asked for, and then it is said.
func TestRaw(t *testing.T) {
	key := "ghp_" + strings.Repeat("a1B2c3", 6)
	var lines strings.Builder
	for _, s := range [][3]string{{"tp", "one", "token " + key}, {"fp", "two", "token " + key}, {"fp", "two", "no token at all"}, {"fp", "two", "token of a turnstile"}} {
		fmt.Fprintf(&lines, "{\"kind\":%q,\"rule\":%q,\"b64\":%q}\n", s[0], s[1], base64.StdEncoding.EncodeToString([]byte(s[2])))
	}
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	if err := os.WriteFile(file, []byte(lines.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"samples", file}, "| 1 | 1 | 100.00 | 2 | 0 | 0.00 |\n"},
		{[]string{"samples", "-raw", file}, "| 1 | 1 | 100.00 | 3 | 1 | 33.33 |\n| &nbsp; of them secrets by another family | | | | | 1 | 33.33 |\n"},
	} {
		var out strings.Builder
		if err := run(c.args, &out); err != nil || !strings.HasSuffix(out.String(), c.want) {
			t.Errorf("%v: %v\n%s", c.args, err, out.String())
		}
	}
}
