package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"maps"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-cortex/cortex/internal/testrun"
)

// copiedProgram runs the tests with a copy of the test binary as cortex on PATH, not
// with a hard link to it: a file as the linker wrote it lies in the page cache in small
// pieces, and starts a fifth slower.
type copiedProgram struct{ testrun.Runner }

func (c copiedProgram) Run() int {
	for _, name := range []string{"cortex", "git-cortex"} {
		if path, err := exec.LookPath(name); err == nil {
			_ = replaceByCopy(path) // or it stays the link
		}
	}
	return c.Runner.Run()
}

func replaceByCopy(path string) error {
	data, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if err := os.WriteFile(path+".copy", data, 0o777); err != nil {
		return err
	}
	return os.Rename(path+".copy", path)
}

// withinCommands are the commands that may as well run in the process of the tests. That
// leaves out those that are about processes: hook, mcp, model-worker, merge-driver, demo
// and curate.
func withinCommands() []string {
	return strings.Fields(`brief capture check diff doctor edit export forget gc graph import index-code init land link list log pin
		project promote recall reindex related remember reset restore review search sessions show stats status sync topics
		uninstall verify-merge version why`)
}

// withinLine is a line of a script that runs one of them, and not in the background.
var withinLine = regexp.MustCompile(`^((?:\[[^\]]*\] *)*(?:! *)?)(exec|exits \d+) cortex +((?:` + strings.Join(withinCommands(), "|") + `)(?: .*[^&])?)$`)

// scriptsWithin returns copies of the scripts of a folder in which cortex is the
// script command within: the same command line, run by the same [run], without a process
// of its own. Starting one costs more than most commands do. A full run starts them all.
func scriptsWithin(t *testing.T, dir string) []string {
	t.Helper()
	scripts, err := filepath.Glob(filepath.Join(dir, "*.txtar"))
	if err != nil || len(scripts) == 0 {
		t.Fatalf("no scripts in %s: %v", dir, err)
	}
	into := t.TempDir()
	for i, path := range scripts {
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		scripts[i] = filepath.Join(into, filepath.Base(path))
		if err := os.WriteFile(scripts[i], []byte(scriptWithin(string(data))), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return scripts
}

func scriptWithin(script string) string {
	commands, files, _ := strings.Cut(script, "\n-- ")
	lines := strings.Split(commands, "\n")
	input := false // the next program reads standard input or a terminal
	for i, line := range lines {
		switch {
		case strings.Contains(line, "stdin ") || strings.Contains(line, "ttyin "):
			input = true
		case !strings.Contains(line, "exec ") && !strings.Contains(line, "exits "):
		case input:
			input = false
		default:
			if m := withinLine.FindStringSubmatch(line); m != nil {
				lines[i] = m[1] + strings.TrimPrefix(m[2]+" ", "exec ") + "within " + m[3]
			}
		}
	}
	if len(commands) < len(script) {
		files = "\n-- " + files
	}
	return strings.Join(lines, "\n") + files
}

func cmdWithin(ts *testscript.TestScript, neg bool, args []string) {
	code, err := codeWithin(ts, args)
	if (err != nil || code != exitOK) != neg {
		ts.Fatalf("unexpected exit code %d: %v", code, err)
	}
}

// codeWithin runs cortex in this process and returns its exit code. It starts one after
// all if the script has put programs of its own on PATH, where this process would not
// find them.
func codeWithin(ts *testscript.TestScript, args []string) (int, error) {
	if ts.Getenv("PATH") == os.Getenv("PATH") {
		return runWithin(ts.MkAbs("."), wholeEnviron(ts), args, ts.Stdout(), ts.Stderr()), nil
	}
	return exitCode(ts.Exec("cortex", args...))
}

// exitCode is the exit code of a program, or an error if it could not be started.
func exitCode(err error) (int, error) {
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return exit.ExitCode(), nil
	}
	return exitOK, err
}

// runWithin is [mainCode] for a folder, an environment and streams of its own.
func runWithin(dir string, environ, args []string, out, errs io.Writer) int {
	values := map[string]string{}
	for _, e := range environ {
		key, value, _ := strings.Cut(e, "=")
		values[key] = value
	}
	exe, err := exec.LookPath("cortex")
	if err != nil {
		exe = "cortex"
	}
	defer debug.SetMemoryLimit(math.MaxInt64) // a command that reads much sets its own
	return run(context.Background(), &streams{
		in: new(bytes.Reader), out: out, err: errs,
		getenv: func(key string) string { return values[key] }, environ: environ,
		now: func() time.Time { return clockAt(values[clockVariable]) }, dir: dir, exe: exe, width: 80,
	}, args)
}

// wholeEnviron is the environment of a script, which testscript gives to the programs that
// it starts and to nobody else.
func wholeEnviron(ts *testscript.TestScript) []string {
	list := reflect.ValueOf(ts).Elem().FieldByName("env")
	values := map[string]string{} // the last one of a name counts
	for i := range list.Len() {
		key, value, _ := strings.Cut(list.Index(i).String(), "=")
		values[key] = value
	}
	values["PWD"] = ts.MkAbs(".")
	var environ []string
	for _, key := range slices.Sorted(maps.Keys(values)) {
		environ = append(environ, key+"="+values[key])
	}
	return environ
}
