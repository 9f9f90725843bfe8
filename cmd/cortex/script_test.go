package main

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-cortex/cortex/internal/testrun"
)

// TestMain lets the test binary be the program itself: testscript puts a copy
// of it on PATH as "cortex", where scripts, git hooks and merge drivers find it.
func TestMain(m *testing.M) {
	// Some scripts wait for deadlines, and all of them for other processes: other tests
	// run meanwhile.
	if err := flag.Set("test.parallel", strconv.Itoa(runtime.GOMAXPROCS(0)+2)); err != nil {
		panic(err)
	}
	testscript.Main(copiedProgram{testrun.InMemory(m)}, map[string]func(){
		"cortex":     func() { os.Exit(mainCode(testClock)) },
		"git-cortex": func() { os.Exit(mainCode(testClock)) }, // a link of that name
	})
}

// clockVariable sets the clock of the test binary wrong, by a duration, or stops it at a
// time.
const clockVariable = "CORTEX_TEST_CLOCK"

func testClock() time.Time { return clockAt(os.Getenv(clockVariable)) }

func clockAt(set string) time.Time {
	if at, err := time.Parse(time.RFC3339, set); err == nil {
		return at
	}
	wrong, _ := time.ParseDuration(set)
	return time.Now().Add(wrong)
}

// TestScripts runs testdata/script/<command>-<topic>.txtar: the real program
// against real git. The commands that scripts know besides testscript's own
// are those of [scriptCommands]. One script alone:
//
//	go test ./cmd/cortex -run 'TestScripts/^init-idempotent$'
func TestScripts(t *testing.T) {
	params := testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		Cmds:                scriptCommands(),
		Setup:               setUpScript,
		Condition:           scriptCondition,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       *updateManual, // what cmp compares with a file of the script
	}
	if !testrun.Full() && scriptsUnderRace == "" {
		params.Dir, params.Files = "", scriptsWithin(t, params.Dir)
	}
	if scriptsUnderRace != "" {
		params.Dir, params.Files = "", []string{filepath.Join("testdata", "script", scriptsUnderRace)}
	}
	testscript.Run(t, params)
}

// setUpScript gives a script a home and a git of its own: nothing of the host
// shows through, and names and dates of commits are fixed.
func setUpScript(env *testscript.Env) error {
	home := filepath.Join(env.WorkDir, "home")
	for key, value := range hermeticGit(home) {
		env.Setenv(key, value)
	}
	model, err := filepath.Abs(filepath.Join("..", "..", "index", "testdata", "model"))
	if err != nil {
		return err
	}
	env.Setenv("MODEL", model)
	if !testrun.Full() {
		config, err := filepath.Abs(filepath.Join("testdata", "gitconfig"))
		if err != nil {
			return err
		}
		env.Setenv("GIT_CONFIG_GLOBAL", config)
	}
	ci, err := filepath.Abs(filepath.Join("..", "..", "ci"))
	if err != nil {
		return err
	}
	env.Setenv("CIDIR", ci)
	env.Values[endpointsKey{}] = map[string]*listener{}
	if tools := os.Getenv("CORTEX_HOOK_TOOLS"); tools != "" {
		env.Setenv("PATH", env.Getenv("PATH")+string(os.PathListSeparator)+tools)
	}
	// "Not a repository" must hold wherever the temporary folder lies.
	env.Setenv("GIT_CEILING_DIRECTORIES", env.WorkDir)
	return os.MkdirAll(home, 0o777)
}

// hermeticGit is the environment in which tests run git and cortex. Tests run side by
// side, so that a process which takes more than one core for itself only costs more; in a
// full run it may.
func hermeticGit(home string) map[string]string {
	cores := "1"
	if testrun.Full() {
		cores = ""
	}
	return map[string]string{
		"GOMAXPROCS": cores, "GOCOVERDIR": os.Getenv("GOCOVERDIR"), "GORACE": os.Getenv("GORACE"),
		"HOME": home, "USERPROFILE": home,
		"XDG_CONFIG_HOME": filepath.Join(home, "config"), "XDG_DATA_HOME": filepath.Join(home, "data"),
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_TERMINAL_PROMPT": "0",
		"GIT_EDITOR": "true", "GIT_PAGER": "cat", "LC_ALL": "C", "TZ": "UTC", "TERM": "dumb",
		"GIT_AUTHOR_NAME": "Ada", "GIT_AUTHOR_EMAIL": "ada@example.invalid", "GIT_AUTHOR_DATE": "2026-11-02T10:00:00Z",
		"GIT_COMMITTER_NAME": "Ada", "GIT_COMMITTER_EMAIL": "ada@example.invalid", "GIT_COMMITTER_DATE": "2026-11-02T10:00:00Z",
	}
}

// skipUnderRace leaves out tests that start hundreds of processes, each of
// which takes a tenth of a second to start under the race detector.
func skipUnderRace(t *testing.T) {
	t.Helper()
	if scriptsUnderRace != "" {
		t.Skip("hundreds of processes are too slow under the race detector; runs without it")
	}
}

// fullOnly leaves a test to full runs, and says why; see [testrun.FullOnly]. It is too slow
// under the race detector too.
func fullOnly(t *testing.T, why string) {
	t.Helper()
	testrun.FullOnly(t, why)
	skipUnderRace(t)
}
