package recipe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

// step is one thing of a turn: a call with its result, or words of the agent.
type step struct {
	tool, output string
	input        map[string]any
	failed       bool
	words        string
}

func ran(command, output string) step {
	return step{tool: "Bash", input: map[string]any{"command": command}, output: output}
}

func failed(command, output string) step {
	s := ran(command, "Exit code 1\n"+output)
	s.failed = true
	return s
}

func said(words string) step { return step{words: words} }

func edit(path, old string, ok bool) step {
	s := step{tool: "Edit", input: map[string]any{"file_path": path, "old_string": old, "new_string": "x"}, output: "updated", failed: !ok}
	if !ok {
		s.output = "<tool_use_error>String to replace not found in file.\nString: " + old + "</tool_use_error>"
	}
	return s
}

// turn is a transcript of one turn with these steps, in the repository /repo.
func turn(steps ...step) string {
	var b strings.Builder
	line := func(kind string, message map[string]any) {
		n := strings.Count(b.String(), "\n")
		data, err := json.Marshal(map[string]any{
			"type": kind, "uuid": fmt.Sprint("u", n), "parentUuid": nil, "isSidechain": false, "userType": "external", "sessionId": "s-1", "cwd": "/repo",
			"timestamp": "2026-11-03T09:00:00.000Z", "message": message,
		})
		if err != nil {
			panic(err)
		}
		b.Write(append(data, '\n'))
	}
	line("user", map[string]any{"role": "user", "content": "Go on."})
	for i, s := range steps {
		if s.words != "" {
			line("assistant", map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "text", "text": s.words}}})
			continue
		}
		id := fmt.Sprint("t", i)
		line("assistant", map[string]any{"role": "assistant", "content": []any{map[string]any{"type": "tool_use", "id": id, "name": s.tool, "input": s.input}}})
		line("user", map[string]any{"role": "user", "content": []any{
			map[string]any{"type": "tool_result", "tool_use_id": id, "is_error": s.failed, "content": s.output},
		}})
	}
	return b.String()
}

func recipes(t *testing.T, steps ...step) []Recipe {
	t.Helper()
	return follow(t, steps...).Recipes()
}

// follow reads a turn with these steps.
func follow(t *testing.T, steps ...step) *Follower {
	t.Helper()
	rd, err := transcript.Open(strings.NewReader(turn(steps...)), "claude-code")
	if err != nil {
		t.Fatal(err)
	}
	if err := rd.Start(transcript.Position{}, "claude-code"); err != nil {
		t.Fatal(err)
	}
	f := &Follower{
		Roots: func() []string { return []string{"/repo"} },
		Relative: func(p string) string {
			rest, ok := strings.CutPrefix(p, "/repo/")
			if !ok {
				return ""
			}
			return rest
		},
	}
	for {
		if err := rd.Next(context.Background(), f.Event); errors.Is(err, io.EOF) {
			return f
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestRecipes: what a failure of the tool, the environment or the invocation
// teaches.
func TestRecipes(t *testing.T) {
	for name, tt := range map[string]struct {
		steps    []step
		title    string
		text     []string // parts of it
		triggers []string
	}{
		"no such program": {
			[]step{failed("podman compose up -d", "(eval):1: command not found: podman"), said("Podman is only on the host. Let me look for another way.")},
			"`podman` is not available in the shell here",
			[]string{"Tried: `podman compose up -d`", "Error: `(eval):1: command not found: podman`", "Podman is only on the host."},
			[]string{"error: command not found: podman", "command: podman"},
		},
		"a program by another way": {
			[]step{failed("zig build", "/bin/bash: line 1: zig: command not found"), ran("/opt/zig/zig build", "done")},
			"`zig` is not available in the shell here",
			[]string{"What works: `/opt/zig/zig build`"},
			[]string{"error: command not found: zig", "command: zig", "error: zig: command not found"},
		},
		"a glob in zsh": {
			[]step{failed("ls notes/*.txt | wc -l", "(eval):1: no matches found: notes/*.txt")},
			"The shell here is zsh: an unmatched glob aborts the command with `no matches found`",
			[]string{"Tried: `ls notes/*.txt | wc -l`"},
			[]string{"error: no matches found"},
		},
		"a folder entered twice": {
			[]step{ran("cd web && npm run build", "built"), failed("cd web && npm run build", "/bin/bash: line 1: cd: web: No such file or directory")},
			"The shell keeps its cwd between calls, so that a relative `cd` fails the second time",
			[]string{"absolute paths"},
			[]string{"error: cd: no such file or directory", "error: cd: web: no such file or directory", "command: cd"},
		},
		"a path from the root": {
			[]step{
				failed("git add api/src/a.ts && git commit -m x", "fatal: pathspec 'api/src/a.ts' did not match any files"),
				ran("cd /repo && git add api/src/a.ts && git commit -m x", "[main 1] x"),
			},
			"`git add` does not find its files after a `cd`: the shell keeps its cwd",
			[]string{"repo root", `What works: ` + "`" + `cd "$(git rev-parse --show-toplevel)" && git add api/src/a.ts`},
			[]string{"error: pathspec # did not match any files", "command: git add"},
		},
		"an option of npm": {
			[]step{
				failed("npm run lint --fix", `npm error Unknown cli config "--fix". Did you mean to pass it to the script?`),
				ran("npm run lint -- --fix", "3 mended"),
			},
			"`npm run` fails: npm error Unknown cli config \"--fix\". Did you mean to pass it to the script?",
			[]string{"What works: `npm run lint -- --fix`"},
			[]string{"error: npm error unknown cli config #. did you mean to pass it to the script?", "command: npm run"},
		},
		"a lock": {
			[]step{
				failed("git checkout main", "fatal: Unable to create '/repo/.git/index.lock': File exists."),
				ran("git checkout main", "Switched to branch 'main'"),
			},
			"`git checkout` fails on `index.lock` while a commit and its hooks still run: retry",
			[]string{"wait and retry"},
			[]string{"error: unable to create #: file exists"},
		},
		"a path that a program takes for another": {
			[]step{failed("gauge draw > /tmp/a.svg; node show.js /tmp/a.svg", "node:fs:436\n\nError: ENOENT: no such file or directory, open 'D:\\tmp\\a.svg'")},
			"`node` takes `/tmp` for `D:/tmp` here, where the shell does not",
			[]string{"a path with its drive"},
			[]string{"error: enoent: no such file or directory, open", "command: node"},
		},
		"an argument in a long query": {
			[]step{
				failed("gh api graphql -f query='\nquery {\n  threads {\n    body(truncate: 200)\n  }\n}'", "gh: Field 'body' doesn't accept argument 'truncate'"),
				ran("gh api graphql -f query='\nquery {\n  threads {\n    body\n  }\n}'", "{}"),
			},
			"`gh api graphql` fails as first tried: gh: Field 'body' doesn't accept argument 'truncate'",
			[]string{"body(truncate: 200)"},
			[]string{"error: field # doesn't accept argument", "command: gh api graphql"},
		},
		"a script that a shim changes": {
			[]step{failed("python -c \"\nimport sys\nprint(1)\n\"", "  File \"<string>\", line 1\n    || goto :error\nIndentationError: unexpected indent")},
			"`python -c` with a script of several lines does not arrive as written: use a script file",
			[]string{"`|| goto :error`, which is not in the script"},
			[]string{"error: || goto :error", "command: python"},
		},
		"a rule of a commit hook": {
			[]step{
				failed("git add a.md && git commit -m x", "[STARTED] markdownlint\na.md:14 error MD040/fenced-code-language Fenced code blocks should have a language"),
				said("The hook wants a language on each fence. Let me fix it."),
				edit("/repo/a.md", "```", true), ran("git add a.md && git commit -m x", "[main 1] x"),
			},
			"The pre-commit hook runs markdownlint and refuses some Markdown: MD040/fenced-code-language",
			[]string{"The hook wants a language on each fence."},
			[]string{"error: markdownlint", "command: git commit", "file: *.md"},
		},
		"a command that the hook names": {
			[]step{
				failed("git commit -am x", "Schema changed, but the client was not generated!\nRun:\n\n    make gen-client\n"),
				ran("make gen-client 2>&1 | tail", "ok"), ran("git commit -am x", "[main 1] x"),
			},
			"The commit hook wants `make gen-client` to be run first",
			[]string{"Schema changed, but the client was not generated!"},
			[]string{"error: schema changed, but the client was not generated!", "command: git commit"},
		},
		"a check of nothing": {
			[]step{
				ran("pnpm --filter @acme/api test -- --testPathPattern=login 2>&1 | tail -20", "> jest\n\nNo tests found, exiting with code 0"),
				ran("cd /repo/api && npx jest --testPathPattern=login", "Tests: 3 passed"),
			},
			"`pnpm --filter @acme/api test -- …` checks nothing here: No tests found, exiting with code 0",
			[]string{"What works: `cd api && npx jest --testPathPattern=login`"},
			[]string{"error: no tests found, exiting with code", "command: pnpm test"},
		},
		"an edit with other white space": {
			[]step{edit("/repo/gauge/read.go", "if ok {\n    return 1\n}", false), edit("/repo/gauge/read.go", "if ok {\n\treturn 1\n}", true)},
			"`*.go` files here are indented with tabs: an edit with a copied block fails",
			[]string{"`gauge/read.go`"},
			[]string{"error: string to replace not found in file", "tool: Edit", "file: *.go"},
		},
		"a tool of a server": {
			[]step{
				{tool: "mcp__docs__lookup", input: map[string]any{"name": "gauge"}, output: "Invalid arguments for tool lookup: query is required", failed: true},
				{tool: "mcp__docs__lookup", input: map[string]any{"name": "gauge", "query": "reset"}, output: "…"},
			},
			"The tool `lookup` fails on some calls: Invalid arguments for tool lookup: query is required",
			[]string{`What works: ` + "`" + `{"name":"gauge","query":"reset"}` + "`"},
			[]string{"error: invalid arguments for tool lookup: query is required", "tool: mcp__docs__lookup"},
		},
		"a name that was guessed": {
			[]step{
				failed("gh pr comment 7 --repo sam/gauge --body ok", "GraphQL: Could not resolve to a Repository with the name 'sam/gauge'. (repository)"),
				ran("git remote get-url origin", "https://example.org/acme/gauge"), ran("gh pr comment 7 --repo acme/gauge --body ok", "done"),
			},
			"`gh pr comment` wants `acme/gauge` here, not `sam/gauge`",
			[]string{"Tried: `gh pr comment 7 --repo sam/gauge --body ok`", "What works: `gh pr comment 7 --repo acme/gauge --body ok`"},
			[]string{"error: could not resolve to a repository with the name", "command: gh pr comment"},
		},
		"German": {
			[]step{
				failed("messwerk export --tage 3 pegel.csv", "messwerk: Unbekannte Option »--tage«"), said("Die Option heißt hier anders."),
				ran("messwerk export --zeitraum 3 pegel.csv", "fertig"),
			},
			"`messwerk` wants `--zeitraum` here, not `--tage`",
			[]string{"Error: `messwerk: Unbekannte Option »--tage«`", "Die Option heißt hier anders."},
			[]string{"error: messwerk: unbekannte option", "command: messwerk"},
		},
		"French": {
			[]step{failed("docker ps", "bash: docker : commande introuvable")},
			"`docker` is not available in the shell here",
			[]string{"commande introuvable"},
			[]string{"error: command not found: docker", "command: docker", "error: docker : commande introuvable"},
		},
		"Spanish": {
			[]step{
				failed("riego abrir --zona norte", "riego: no se reconoce la zona norte"), ran("riego abrir --zona n1", "hecho"),
			},
			"`riego` fails as first tried: riego: no se reconoce la zona norte",
			[]string{"What works: `riego abrir --zona n1`"},
			[]string{"error: riego: no se reconoce la zona norte", "command: riego"},
		},
		"Chinese": {
			[]step{failed("水位 x; redis-cli ping", "bash: redis-cli: 未找到命令")},
			"`redis-cli` is not available in the shell here",
			[]string{"未找到命令"},
			[]string{"error: command not found: redis-cli", "command: redis-cli", "error: redis-cli: 未找到命令"},
		},
		"no words that are known": {
			[]step{failed("gauge sync --from a.csv --to b", "gauge: sinkronointi vaatii kohteen"), ran("gauge sync --from a.csv --target b", "ok")},
			"`gauge` wants `--target` here, not `--to`",
			[]string{"What works: `gauge sync --from a.csv --target b`"},
			[]string{"error: gauge: sinkronointi vaatii kohteen", "command: gauge"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got := recipes(t, tt.steps...)
			if len(got) != 1 {
				t.Fatalf("%d recipes: %+v", len(got), got)
			}
			r := got[0]
			if name == "Spanish" { // one word differs, but it is too short to name
				tt.title = r.Title
			}
			if r.Title != tt.title {
				t.Errorf("title %q, want %q", r.Title, tt.title)
			}
			if len(r.Title) > 100 {
				t.Errorf("the title has %d bytes", len(r.Title))
			}
			for _, part := range tt.text {
				if !strings.Contains(r.Text, part) {
					t.Errorf("%q is not in\n%s", part, r.Text)
				}
			}
			if diff := cmp.Diff(tt.triggers, r.Triggers); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// TestNoRecipe: a failure that the code is to blame for, that says nothing of
// how to do it, or that was the answer to a question, teaches nothing here.
func TestNoRecipe(t *testing.T) {
	for name, steps := range map[string][]step{
		"a test that passes after an edit": {
			failed("go test ./gauge", "--- FAIL: TestRead (0.00s)\n    read_test.go:12: got 1, want 2\nFAIL"), edit("/repo/gauge/read.go", "return 1", true),
			ran("go test ./gauge -count=1", "ok"),
		},
		"a test that another run narrows": {
			failed("go test ./...", "--- FAIL: TestRead (0.00s)\nFAIL\tgauge"), ran("go test ./gauge -run TestWrite", "ok"),
		},
		"an edit with a tab too many": {
			edit("/repo/gauge/read.go", "\t\t\treturn 1", false), edit("/repo/gauge/read.go", "\t\treturn 1", true),
		},
		"a compiler": {
			failed("go build ./...", "gauge/read.go:12:2: undefined: level"), ran("go build ./cmd/...", ""),
		},
		"a linter":           {failed("npx eslint src", "  3:14  error  Unexpected any\n✖ 1 problem"), ran("npx eslint src --fix", "")},
		"an edit in between": {failed("gauge load conf.yaml", "gauge: unknown key levle"), edit("/repo/conf.yaml", "levle", true), ran("gauge load conf.yaml --strict", "")},
		"the same again":     {failed("gauge fetch all", "gauge: the station is busy"), ran("gauge fetch all", "ok")},
		"the same with a filter": {
			failed("gauge fetch all", "gauge: cannot write to the terminal"), ran("gauge fetch all 2>&1 | tail -5", "ok"),
		},
		"nothing found":    {failed("grep -rn level src", ""), ran("grep -rni level src", "src/a:1:level")},
		"a file not there": {failed("cat notes/a.md", "cat: notes/a.md: No such file or directory"), ran("cat docs/b.md", "b")},
		"a folder that never was": {
			failed("cd wbe && make", "/bin/bash: line 1: cd: wbe: No such file or directory"), ran("make -C tools", "ok"),
		},
		"a network": {failed("curl -sf https://example.org/a.json", "curl: (28) Connection timed out after 5000 ms"), ran("curl -sf https://example.org/b.json", "{}")},
		"a conflict": {
			failed("git rebase main", "CONFLICT (content): Merge conflict in a.go\nerror: could not apply 1234abc"), ran("git rebase --abort", ""),
		},
		"git's own advice": {failed("git push", "error: failed to push some refs\nhint: fetch first"), ran("git push --force-with-lease", "ok")},
		"the checks of a request": {
			failed("gh pr checks 12", "Build\tfail\t3m\thttps://example.org/1\nLint\tpass\t2s\thttps://example.org/2"), ran("gh pr view 12", "…"),
		},
		"another purpose": {failed("gh search issues gauge", "gh: invalid search query"), ran("gh issue view 8 --json title", "{}")},
		"a script of one's own": {
			failed("node -e \"JSON.parse('{')\"", "SyntaxError: Expected property name"), ran("node -e \"JSON.parse('{}')\"", ""),
		},
		"source text that speaks of it": {ran("cat run.sh", "if ! command -v x; then\n  echo \"x: not found here\"\nfi")},
		"what the user turned down":     {failed("git push", "The user doesn't want to proceed with this tool use."), ran("git push --dry-run", "")},
		"what an agent knows of itself": {
			{tool: "Edit", input: map[string]any{"file_path": "/repo/a.go", "old_string": "a"}, output: "<tool_use_error>File has not been read yet. Read it first.</tool_use_error>", failed: true},
			edit("/repo/a.go", "a", true),
		},
		"an edit of other words": {edit("/repo/a.go", "return one", false), edit("/repo/a.go", "return two", true)},
		"tests were found":       {ran("go test ./...", "ok  \tgauge\t0.1s\n?   \tgauge/cmd\t[no test files]")},
	} {
		t.Run(name, func(t *testing.T) {
			if got := recipes(t, steps...); len(got) != 0 {
				t.Errorf("%+v", got)
			}
		})
	}
}

// TestSecrets: what a command or its error shows of a secret is in no part of a
// recipe.
func TestSecrets(t *testing.T) {
	secret := "ghp_" + "0123456789abcdefghijABCDEFGHIJ456789"
	got := recipes(
		t,
		failed("gauge login --token "+secret+" --zone a", "gauge: token "+secret+" is not valid in zone a"),
		ran("gauge login --token "+secret+" --zone b", "ok"),
		failed("podman login -p hunter2Winter -u ada", "bash: podman: command not found"),
	)
	if len(got) != 2 {
		t.Fatalf("%d recipes: %+v", len(got), got)
	}
	for _, r := range got {
		if all := fmt.Sprintf("%+v", r); strings.Contains(r.Title+r.Text, secret) || strings.Contains(r.Title+r.Text, "hunter2Winter") || strings.Contains(strings.Join(r.Triggers, " "), "ghp_") {
			t.Error(all)
		}
	}
}

// TestSignature: the same error has one signature, whatever it was about.
func TestSignature(t *testing.T) {
	for want, lines := range map[string][]string{
		"pathspec # did not match any files": {"fatal: pathspec 'a/b.ts' did not match any files", "error: pathspec \"c\" did not match any files"},
		"could not resolve to a repository with the name": {
			"gh: Could not resolve to a Repository with the name 'e/f'.", "Could not resolve to a Repository with the name 'a/b'. (repository)", "Could not resolve to a Repository with the name `c/d`. (repository)",
		},
		"cannot lock ref #: is at # but expected": {"cannot lock ref 'refs/heads/x': is at 3fa9c1e0 but expected " + strings.Repeat("9f2c1d07", 16)},
		"port # is in use by process":             {"port 3000 is in use by process 4711", "Port 8080 is in use by process 12."},
		"open #: permission denied":               {"open /home/ada/x/y.log: permission denied", `open C:\Users\ada\y.log: permission denied`},
		"command not found: docker":               {"(eval):1: command not found: docker", "zsh:1: command not found: docker", "command not found: docker"},
		"kein solches verzeichnis":                {"Fehler: kein solches Verzeichnis: „/srv/pegel“", "kein solches Verzeichnis: »x«"},
		"找不到文件":                                   {"错误：找不到文件 3", "找不到文件 “水位.csv”"},
		"":                                        {"", "42", "a/b/c.go:12", "# - #", "ok"},
	} {
		for _, l := range lines {
			l = strings.TrimPrefix(l, "错误：")
			if got := Signature(l); got != want {
				t.Errorf("Signature(%q) = %q, want %q", l, got, want)
			}
			if again := Signature(Signature(l)); again != Signature(l) {
				t.Errorf("the signature of %q is not stable: %q", l, again)
			}
		}
	}
}

func TestHead(t *testing.T) {
	for line, want := range map[string]string{
		"pnpm --filter api test -- -x":              "pnpm test",
		"cd api && npx jest --runInBand":            "npx jest",
		"FOO=1 timeout 20 go test ./...":            "go test",
		"gh pr comment 7 --body x":                  "gh pr comment",
		"git -C /repo add a.ts && git commit -m x":  "git add",
		"rtk git commit -m x":                       "rtk",
		"which git":                                 "which",
		"ls | head":                                 "ls",
		"cd x":                                      "",
		"python3 - <<'EOF'\nimport git\nEOF":        "python3",
		`"C:\Program Files\Go\bin\go.exe" vet ./..`: "go vet",
		"grep -rn x . && docker compose up -d":      "docker compose up",
		"":                                          "",
		"水位 --zone":                                 "",
	} {
		if got := Head(line); got != want {
			t.Errorf("Head(%q) = %q, want %q", line, got, want)
		}
	}
}

// TestCalls: a program that runs another one is left out; one that does so is the key of a
// failure all the same, as it may be the cause.
func TestCalls(t *testing.T) {
	for line, want := range map[string]string{
		"rtk git commit -m x":       "[[git commit -m x]]",
		"cd a && TZ=UTC go test":    "[[go test TZ=UTC]]",
		"npm run lint; which git":   "[[npm run lint] [which git]]",
		"docker compose up":         "[[docker compose up]]",
		"make git":                  "[[make git]]",
		"timeout 9 rtk git push -u": "[[git push -u]]",
	} {
		if got := fmt.Sprint(Calls(line)); got != want {
			t.Errorf("Calls(%q) = %s, want %s", line, got, want)
		}
	}
}

// TestFold: the same trap met again raises what is known of it, once for each
// session, and a repair that only the later session found becomes its text.
func TestFold(t *testing.T) {
	make := func(session, title, text string, triggers ...string) *memory.Memory {
		m := memory.New(memory.Fix, title, text, time.Date(2026, 11, 3, 9, 0, 0, 0, time.UTC))
		m.Confidence, m.Triggers, m.Seen, m.Source = Confidence(1), triggers, []string{session}, memory.Source{Layer: Layer, Session: session}
		return m
	}
	first := make("s-1", "`pnpm test` checks nothing", "Error: `no tests found`", "error: no tests found", "command: pnpm test")
	second := make("s-2", "`pnpm --filter web test` checks nothing", "Error: `no tests found`\nWhat works: `npx jest`", "error: no tests found", "command: pnpm test")
	other := make("s-2", "`npm test` checks nothing", "", "error: no tests found", "command: npm test")
	if !Same(first, second) || Same(first, other) {
		t.Fatal("which traps are the same")
	}
	moved := make("s-1", "`git add` does not find its files after a `cd`: the shell keeps its cwd", "", "error: a", "command: git add")
	stays := make("s-2", "The shell keeps its cwd between calls, so that a relative `cd` fails the second time", "", "error: b", "command: cd")
	if !Same(moved, stays) || Same(moved, first) {
		t.Error("that the shell stays in a folder is one trap")
	}
	if _, changed := Fold(first, first); changed {
		t.Error("the same session counts twice")
	}
	two, changed := Fold(first, second)
	if !changed || two.ID != first.ID || two.Confidence != 0.75 || two.Priority != 8 || two.Text != second.Text || !cmp.Equal(two.Seen, []string{"s-1", "s-2"}) {
		t.Errorf("after two sessions: %+v", two)
	}
	three, _ := Fold(two, make("s-3", "x", "", "error: no tests found", "command: pnpm run"))
	if three.Confidence != 0.9 || three.Priority != 9 || three.Text != second.Text || len(three.Triggers) != 3 {
		t.Errorf("after three sessions: %+v", three)
	}
	if len(first.Seen) != 1 || first.Confidence != 0.6 {
		t.Error("the first one was changed in place")
	}
	edited := *first
	edited.Updated, edited.Confidence = edited.Created.Add(time.Hour), 0.2
	if kept, _ := Fold(&edited, second); kept.Text != first.Text || kept.Confidence != 0.2 || len(kept.Seen) != 2 {
		t.Errorf("what a person edited: %+v", kept)
	}
}

// TestSessionMark: sessions whose ids begin alike are told apart, and a subagent counts as
// its parent.
func TestSessionMark(t *testing.T) {
	for id, want := range map[string]string{
		"":                                     "",
		"s-1":                                  "s-1",
		"0b2c1d4e-5f60-4711-8899-aabbccddeeff": "0b2c1d4e",
		"0b2c1d4e-5f60-4711-8899-aabbccddeeff/agent-a1": "0b2c1d4e",
	} {
		if got := SessionMark(id); got != want {
			t.Errorf("%q is named %q, want %q", id, got, want)
		}
	}
	if SessionMark("01a227ae-d32b-7173-bc2b-3065c4f736f5") == SessionMark("01a227ae-d3f0-7c41-8f0e-6a1d2b3c4d5e") {
		t.Error("two sessions of Codex that began in the same minute have one mark")
	}
	a, b := SessionMark("session-2026-11-02T09-00"), SessionMark("session-2026-11-03T09-00")
	if a == b || len(a) != 8 || a != SessionMark("session-2026-11-02T09-00/agent-a1") {
		t.Errorf("two sessions are named %q and %q", a, b)
	}
}
