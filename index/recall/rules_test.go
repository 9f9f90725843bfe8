package recall

import (
	"path"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// TestRules: a rule of a person is said before the call that it is about, and not
// before one that keeps it.
func TestRules(t *testing.T) {
	for _, tt := range []struct {
		rule  string
		said  string // commands, one a line; a line that begins with / is a file
		quiet string
	}{
		{"Never run `npm install`, use `pnpm install`.", "npm install\nnpm install left-pad\nsudo npm install", "pnpm install\nnpm test"},
		{"never run npm install here, use pnpm", "npm install", "pnpm install\nnpm test"},
		{"Use pnpm, not npm.", "npm test\nnpm install", "pnpm test"},
		{"Use `pnpm` instead of `npm` in this repository.", "npm test", "pnpm test"},
		{"Don't use yarn or npm, use pnpm.", "yarn add x\nnpm test", "pnpm test"},
		{"`npm publish` must not be run by hand.", "npm publish", "npm test"},
		{"Never `git push --force`, always `git push --force-with-lease`.", "git push --force origin main\ngit push", "git push --force-with-lease origin main"},
		{"Never run `go test ./...`; use `go test ./store`.", "go test ./...", "go test ./store"},
		{"Run `pnpm test --run`, plain watching never ends.", "pnpm test\npnpm test api", "pnpm test --run\npnpm test api --run"},
		{"Never run `pnpm test` without `--run`.", "pnpm test", "pnpm test --run"},
		{"Before `git push`, run `make lint`.", "git push origin main", "make lint\ngit status"},
		{"Always run `make lint` before `git commit`.", "git commit -m x", "make lint"},
		{"Start the server with `HOST=box pnpm dev`.", "", "pnpm dev"}, // it orders nothing
		{"Always start the server with `HOST=box pnpm dev`.", "", "make dev"},
		{"Never edit `store/wal.go` by hand: it is generated.", "/store/wal.go", "/store/segment.go"},
		{"Files below migrations/ must never be changed.", "/api/migrations/0001.sql", "/api/query.sql"},
		{"Please never touch *.gen.go, they are generated.", "/store/wal.gen.go", "/store/wal.go"},
		{"Never run `scripts/deploy.sh` without `--dry-run`.", "scripts/deploy.sh\nscripts/deploy.sh --to prod", "scripts/deploy.sh --dry-run\n/scripts/deploy.sh"},
		{"Never run `./scripts/deploy.sh` with `--force`.", "scripts/deploy.sh --force", "scripts/deploy.sh\n/scripts/deploy.sh"},
		{"Always run `scripts/deploy.sh` with `--dry-run` first.", "scripts/deploy.sh", "scripts/deploy.sh --dry-run"},
		{"Never run scripts/deploy.sh without `--dry-run`.", "scripts/deploy.sh", "scripts/deploy.sh --dry-run"},
		{"Never run `scripts/wipe.sh`.", "scripts/wipe.sh\nscripts/wipe.sh all\nbash scripts/wipe.sh\nbash -e scripts/wipe.sh", "bash scripts/load.sh\nscripts/load.sh\n/scripts/wipe.sh"},
		{"Never edit `scripts/wipe.sh` without `-x`.", "/scripts/wipe.sh", ""}, // nobody runs it
		{"The gauge is polled by `gauge poll`.", "", "gauge poll"},
		{"We use tabs.", "", "tabs"},
	} {
		m := memory.New(memory.Preference, memory.OneLine(tt.rule), tt.rule, time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
		m.Source.Agent = memory.Human
		table := library(t, m)
		for _, group := range []struct {
			calls string
			want  bool
		}{{tt.said, true}, {tt.quiet, false}} {
			for call := range strings.FieldsFuncSeq(group.calls, func(r rune) bool { return r == '\n' }) {
				words := strings.Fields(strings.TrimPrefix(call, "sudo "))
				words[0] = path.Base(words[0])
				moment := Moment{Kind: Command, Command: call, Calls: [][]string{words}}
				if file, ok := strings.CutPrefix(call, "/"); ok {
					moment = Moment{Kind: File, File: file}
				}
				hits := table.Find(moment, Options{})
				if got := len(hits) == 1 && hits[0].ID == m.ID && contains(hits[0].Why, "rule"); got != group.want {
					t.Errorf("%q before %q: said %v, want %v", tt.rule, call, got, group.want)
				}
			}
		}
	}
}

// TestRulesOfPersons: only what a person said, or had remembered, is a rule.
func TestRulesOfPersons(t *testing.T) {
	moment := Moment{Kind: Command, Command: "npm install", Calls: [][]string{{"npm", "install"}}}
	for _, tt := range []struct {
		typ    memory.Type
		source memory.Source
		want   bool
	}{
		{memory.Preference, memory.Source{Agent: memory.Human}, true},
		{memory.Preference, memory.Source{Agent: "claude-code", Layer: "user"}, true},
		{memory.Rejected, memory.Source{Agent: "claude-code"}, true},
		{memory.Preference, memory.Source{Agent: "claude-code", Layer: "pattern"}, false},
		{memory.Progress, memory.Source{Agent: memory.Human}, false},
	} {
		m := memory.New(tt.typ, "Never run `npm install`", "Never run `npm install`, use pnpm.", time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC))
		m.Source = tt.source
		if got := len(library(t, m).Find(moment, Options{})) == 1; got != tt.want {
			t.Errorf("%s of %+v: said %v", tt.typ, tt.source, got)
		}
	}
}
