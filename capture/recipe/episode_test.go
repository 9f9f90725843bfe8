package recipe

import (
	"strings"
	"testing"
)

// TestEpisodes: traps of an environment, each with what then worked.
func TestEpisodes(t *testing.T) {
	for name, tt := range map[string]struct {
		steps        []step
		title, works string
	}{
		"another program": {
			[]step{failed("npm test", "bash: npm: command not found"), ran("ls", "package.json pnpm-lock.yaml"), ran("pnpm test", "3 passed")},
			"`npm` is not available in the shell here: `pnpm test` is", "`pnpm test`",
		},
		"python": {
			[]step{failed("python tools/tide.py", "bash: python: command not found"), ran("python3 tools/tide.py", "ok")},
			"`python` is not available in the shell here: `python3 tools/tide.py` is", "`python3 tools/tide.py`",
		},
		"a wrapper": {
			[]step{failed("pytest -q", "bash: pytest: command not found"), ran("uv run pytest -q", "3 passed")},
			"`pytest` is not available in the shell here: `uv run pytest -q` is", "`uv run pytest -q`",
		},
		"other tests": {
			[]step{
				failed("pytest -q", "bash: pytest: command not found"), ran("git add tests", ""),
				ran("python3 -m unittest discover -s tests", "Ran 3 tests\nOK"),
			},
			"`pytest` is not available in the shell here: `python3 -m unittest discover -s tests` is",
			"`python3 -m unittest discover -s tests`",
		},
		"what works is a call that worked, if one did": {
			[]step{
				failed("pytest -q", "bash: pytest: command not found"),
				failed("python -m pytest -q", "E   ModuleNotFoundError: No module named 'tides'\n1 error in 0.1s"),
				ran("PYTHONPATH=. python3 -m pytest -q", "1 passed in 0.1s"),
			},
			"`pytest` is not available in the shell here: `PYTHONPATH=. python3 -m pytest -q` is",
			"`PYTHONPATH=. python3 -m pytest -q`",
		},
		"a variable": {
			[]step{
				failed("go test ./tide", "--- FAIL: TestNoon (0.00s)\n    tide_test.go:12: got 13:00, want 12:00\nFAIL"),
				ran("date", "Sun Nov 29 13:00 CET"), ran("TZ=UTC go test ./tide", "ok"),
			},
			"`go test` runs here with `TZ=UTC` before it", "`TZ=UTC go test ./tide`",
		},
		"an option that the failure names": {
			[]step{
				failed("go test ./tide", "tide/sea_test.go: build constraints exclude all files; build with tag sea\nFAIL\texample.org/tide [setup failed]"),
				ran("ls tide", "sea_test.go"), ran("go test -tags sea ./tide", "ok"),
			},
			"`go test` runs here as `go test -tags sea ./tide`", "`go test -tags sea ./tide`",
		},
		"an option that the agent names": {
			[]step{
				failed("make check", "make: *** [check] Error 2"), said("The checks of the pier sit behind the variant harbour."),
				ran("make check --variant=harbour", "ok"),
			},
			"`make check` runs here as `make check --variant=harbour`", "`make check --variant=harbour`",
		},
		"a port": {
			[]step{
				failed("docker compose up -d db", "Error response from daemon: Bind for 0.0.0.0:5432 failed: port is already allocated"),
				ran("docker ps", "old-db"), ran("docker stop old-db", "old-db"), ran("docker compose up -d db", "Started"),
			},
			"`docker compose up` fails here until `docker stop old-db` has run", "`docker stop old-db`, then `docker compose up -d db`",
		},
		"a protected branch": {
			[]step{
				failed("git push origin main", "remote: error: GH006: Protected branch update failed for refs/heads/main.\nremote: error: Changes must be made through a pull request.\n ! [remote rejected] main -> main\nerror: failed to push some refs"),
				ran("git checkout -b tide/noon", ""), ran("git push -u origin tide/noon", "ok"),
			},
			"`git push` fails: remote: error: GH006: Protected branch update failed", "`git push -u origin tide/noon`",
		},
		"a new installation": {
			[]step{
				failed("pnpm build", "Error: Cannot find module @rollup/rollup-linux-x64-gnu. npm has a bug related to optional dependencies\n    at requireWithFriendlyError (/repo/node_modules/rollup/dist/native.js:59:9)"),
				ran("rm -rf node_modules", ""), ran("pnpm install", "done"), ran("pnpm build", "built"),
			},
			"`pnpm build` fails here until `rm -rf node_modules` has run", "`rm -rf node_modules`, then `pnpm install`, then `pnpm build`",
		},
		"a compiler": {
			[]step{
				failed("go test -race ./...", "# runtime/cgo\ncgo: C compiler \"cc\" not found: exec: \"cc\": executable file not found in $PATH"),
				ran("apt-get install -y gcc", "done"), ran("go test -race ./...", "ok"),
			},
			"`go test` fails here until `apt-get install -y gcc` has run", "`apt-get install -y gcc`, then `go test -race ./...`",
		},
		"dependencies": {
			[]step{failed("pnpm test", "sh: 1: vitest: not found\n ELIFECYCLE  Test failed."), ran("pnpm install && pnpm test", "3 passed")},
			"`pnpm test` fails here until `pnpm install` has run", "`pnpm install`, then `pnpm install && pnpm test`",
		},
		"a commit": {
			[]step{
				failed("git commit -m 'tide: read'", "tide/tmp: file too large for this repository\nhusky - pre-commit hook exited with code 1"),
				ran("rm -rf tide/tmp", ""), ran("git add -A", ""), ran("git commit -m 'tide: read'", "[main 1] tide: read"),
			},
			"`git commit` fails here until `rm -rf tide/tmp` has run", "`rm -rf tide/tmp`, then `git commit -m 'tide: read'`",
		},
		"an option": {
			[]step{failed("gh pr create --title x", "must provide `--body` when not running interactively"), ran("gh pr create --title x --body y", "https://example.org/1")},
			"`gh pr create` fails as first tried", "`gh pr create --title x --body y`",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := recipes(t, tt.steps...)
			if len(got) != 1 {
				t.Fatalf("%d recipes: %+v", len(got), got)
			}
			if !strings.HasPrefix(got[0].Title, tt.title) || len(got[0].Title) > titleSize {
				t.Errorf("title %q", got[0].Title)
			}
			if !strings.Contains(got[0].Text, "What works: "+tt.works) {
				t.Errorf("it does not say that %s works:\n%s", tt.works, got[0].Text)
			}
		})
	}
	for name, steps := range map[string][]step{
		"flaky":       {failed("make tide", "tide: the gauge is asleep"), ran("make tide", "ok")},
		"an edit":     {failed("make tide", "tide: no such level"), edit("/repo/tide.go", "a", true), ran("pnpm install", ""), ran("make tide", "ok")},
		"a version":   {failed("make tide", "tide: no such level"), ran("git checkout main", ""), ran("make tide", "ok")},
		"a lint":      {failed("make tide", "tide: no such level"), ran("pnpm lint", ""), ran("make tide", "ok")},
		"many things": {failed("make tide", "tide: no such level"), ran("a b", ""), ran("c d", ""), ran("e f", ""), ran("g h", ""), ran("make tide", "ok")},
		"a file":      {failed("make tide", "tide: no such level"), ran("echo 'level: 3' > conf.yaml", ""), ran("make tide", "ok")},
		"a text elsewhere": {
			failed("prose --style plain /tmp/tide.md", "3:7 error Tides is a word of sailors"), ran("prose --style plain /tmp/tide.md | head", "3:7 error"),
			edit("/tmp/tide.md", "tides", true), ran("prose --style plain /tmp/tide.md", ""),
		},
		"the same in between": {failed("make tide", "tide: no such level"), ran("make tide | cat", "?"), ran("make tide", "ok")},
		"another tool":        {failed("go test ./...", "go: no such tool \"vet\""), ran("cargo test ./...", "ok")},
		"a longer time":       {failed("make tide", "tide: no such level"), ran("timeout 90 make tide", "ok")},
		"a failed test alone": {failed("go test ./tide", "--- FAIL: TestNoon (0.00s)\nFAIL"), ran("go test -run TestNoon ./tide", "ok")},
		"an unnamed option":   {failed("go test ./tide", "--- FAIL: TestNoon (0.00s)\nFAIL"), said("TestNoon is red on this machine only."), ran("go test -short ./tide", "ok")},
		"an option past a rule": {
			failed("git commit -m 'tide: read'", "tide: the hook wants a level"), said("Only the hook asks for the level, so no-verify is enough."),
			ran("git commit --no-verify -m 'tide: read'", "[main 1] tide: read"),
		},
		"another file": {failed("make tide", "tide: no such level"), ran("make pier", "ok")},
		"a look":       {failed("make tide", "tide: no such level"), ran("cat conf.yaml", "level: 3"), ran("make tide", "ok")},
	} {
		t.Run(name, func(t *testing.T) {
			if got := recipes(t, steps...); len(got) != 0 {
				t.Errorf("%+v", got)
			}
		})
	}
}
