package memory

import (
	"strings"
	"testing"
)

func TestCommandNamed(t *testing.T) {
	for _, c := range []struct {
		typ        Type
		text, want string
	}{
		{Gotcha, "`make deploy` fails without STATION", "before: make deploy"},
		{Gotcha, "Run `make generate` before `make harbour`", "before: make harbour"},
		{Gotcha, "`make generate` before `make harbour`, or it serves old tides", "before: make harbour"},
		{Gotcha, "The build breaks when you run `make tide` twice", "before: make tide"},
		{Gotcha, "`./gradlew assemble` needs a JDK of 21", "before: ./gradlew assemble"},
		{Gotcha, "`tools/ship.sh staging` asks for a key", "before: tools/ship.sh staging"},
		{Gotcha, "Before a release, run `make check`", ""},
		{Gotcha, "After a pull run `make deps`", ""},
		{Gotcha, "The flag is: `--dry-run now`", ""},
		{Fix, "The build fails with `permission denied` here", ""},
		{Fix, "`go mod tidy` fixes the checksum", ""},
		{Fix, "`npm run build` broke on Node 24: `npm run build:esm` works", "before: npm run build"},
		{Fix, "Fixed by running `go clean -cache`", ""},
		{Preference, "Never run `npm install` here: use `pnpm install`", "before: npm install"},
		{Preference, "Use `pnpm install` instead of `npm install`", "before: npm install"},
		{Preference, "Always `git commit -s`", ""},
		{Rejected, "`docker compose up`: the ports clash", "before: docker compose up"},
		{Gotcha, "`store/wal.go tears` and `x := open()` leaks, `return nil` too", ""},
		{Gotcha, "A word such as `deploy` names no call", ""},
		{Decision, "`make deploy` needs STATION", ""},
		{Gotcha, "An open `backtick never ends", ""},
		{Gotcha, "", ""},
	} {
		if got := strings.Join(CommandNamed(&Memory{Type: c.typ, Title: c.text}), "|"); got != c.want {
			t.Errorf("%s %q: %q, want %q", c.typ, c.text, got, c.want)
		}
	}
}
