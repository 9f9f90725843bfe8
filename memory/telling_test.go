package memory_test

import (
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// TestTelling: titles with people, addresses, secrets and numbers of accounts do not become
// names of files; ordinary ones do.
func TestTelling(t *testing.T) {
	for title, want := range map[string]string{
		"Erika Mustermann opens the lock on Mondays":         "name",
		"The key is with Jürgen Weiß's deputy":               "name",
		"Ask Quillon Hartwick before a release":              "name",
		"Reviewed by Dr. Okonkwo Adeyemi-Lund":               "name",
		"Mail ana.quill@hollowmere.io for the bucket":        "address",
		"Pay to DE89 3704 0044 0532 0130 00":                 "number",
		"The test card is 4111 1111 1111 1111":               "number",
		"Her number is 123-45-6789":                          "number",
		"The header ends in dBjftJeZ4CVPmB92K27uhbUJU1p1r_w": "secret",
		"The password is [redacted: password]":               "secret",

		"Use Docker Compose for the local stack":              "",
		"Ask before a unit is changed":                        "",
		"React Router keeps the state of Visual Studio Code":  "",
		"GitHub Actions and Google Cloud run at noon":         "",
		"Clone from git@code:gauges/store.git on 2026-11-02":  "",
		"Pin actions/checkout@v4 and lodash@4.17.21":          "",
		"TestParseConfigWithManyNames2 fails on Windows":      "",
		"Commit 3fa9c1e0 broke 0b2c7d31":                      "",
		"Retry Max Attempts is 3":                             "",
		"ErrNotFoundInTheVeryLongIndexedTableOfAllColumns":    "",
		"Segments are cut at midnight UTC, 2026-11-02T10:00Z": "",
		"Alice, Bob and the Ledger":                           "",
	} {
		if got := memory.Telling(title); got != want {
			t.Errorf("%q: %q, want %q", title, got, want)
		}
		path := memory.New(memory.Fix, title, "", time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)).Path()
		if plain := strings.HasPrefix(path, "fix/2026-11/memory-"); plain != (want != "") {
			t.Errorf("%q: %s", title, path)
		}
	}
}
