package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace"
)

type scriptCommand = func(ts *testscript.TestScript, neg bool, args []string)

// scriptCommands are the commands, by name, that scripts have besides testscript's
// own.
func scriptCommands() map[string]scriptCommand {
	commands := map[string]scriptCommand{
		// repo DIR: a new repository on main with one commit.
		"repo": cmdRepo,
		// ready DIR: the same, with cortex set up by init -q. It is a copy of one
		// repository: all have one id of their clone.
		"ready": cmdReady,
		// notes TYPE FROM TO TEXT: what cortex remember --pending keeps of each number, which
		// stands for "#" in the text, in one process.
		"notes": cmdNotes,
		// fsck [DIR]: git fsck --strict finds nothing.
		"fsck": cmdFsck,
		// within ARG…: exec cortex in this process, see [scriptsWithin].
		"within": cmdWithin,
		// exits CODE PROGRAM ARG…: exec, with this very exit code.
		"exits": cmdExits,
		// hangs PROGRAM ARG…: exec with a standard input that never ends; the
		// program must end by itself, with 0.
		"hangs": cmdHangs,
		// session FILE ID SPEC: a transcript of Claude Code from lines of words, see [sessionFrom].
		"session": cmdSession,
		// demosession NAME FILE: a recorded session of the demo, for the current folder.
		"demosession": cmdDemoSession,
		// payload FILE KEY=VALUE…: what an agent writes to a hook.
		"payload": cmdPayload,
		// write FILE TEXT: a file with exactly these bytes; \n, \r and \t are escapes.
		"write": cmdWrite,
		// setting KEY VALUE: gives a key of .cortex/config.yaml a value.
		"setting": cmdSetting,
		// fill FILE BYTES TEXT: a file of that size, or a little over, of repeated text.
		"fill": cmdFill,
		// token VAR: something that looks like an access token and opens nothing.
		"token": cmdToken,
		// mask FILE REGEXP TEXT: replaces what changes from run to run, or is to be other; with the
		// escapes of write, which not every sed knows.
		"mask": cmdMask,
		// keep NAME PATH…: remembers files and folders; kept NAME: they are the same, mode included.
		"keep": cmdKeep,
		"kept": cmdKept,
		// jsonhas FILE PATH [OP VALUE], jsonkeys FILE PATH KEY…, jsonget VAR FILE PATH: see [jsonPath].
		"jsonhas":  cmdJSONHas,
		"jsonkeys": cmdJSONKeys,
		"jsonget":  cmdJSONGet,
		// columns FILE N: no line is wider than a terminal of N columns.
		"columns": cmdColumns,
		// defanged FILE REGEXP…: there is no tag of an agent's harness and nothing
		// invisible in it, and the expressions match. visible FILE: nothing
		// invisible. evidence FILE REGEXP…: defanged, and the expressions match
		// between the two lines that name what memories say as evidence.
		"defanged": cmdDefanged,
		"evidence": cmdEvidence,
		"visible":  cmdVisible,
		// endpoint KIND VAR: an endpoint of embeddings that misbehaves, see
		// [endpointKinds]. asked VAR N: so many connections came to it.
		"endpoint": cmdEndpoint,
		"asked":    cmdAsked,
		"host":     cmdHost,
	}
	maps.Copy(commands, gitCommands())
	maps.Copy(commands, agentCommands())
	return commands
}

func calledAs(ts *testscript.TestScript, neg bool, ok bool, text string) {
	if neg {
		ts.Fatalf("! is not for %s", text)
	}
	if !ok {
		ts.Fatalf("usage: %s", text)
	}
}

func cmdRepo(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 1, "repo DIR")
	writeRepo(ts, args[0], repoImage)
}

func cmdReady(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 1, "ready DIR")
	writeRepo(ts, args[0], readyImage)
}

func writeRepo(ts *testscript.TestScript, name string, made func() (image, error)) {
	copied, err := made()
	ts.Check(err)
	dir := ts.MkAbs(name)
	ts.Check(copied.write(dir))
	ts.Check(ts.Exec("git", "-C", dir, "update-index", "-q", "--refresh")) // the files are new ones
}

func cmdNotes(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 4, "notes TYPE FROM TO TEXT")
	typ, err := memory.ParseType(args[0])
	ts.Check(err)
	from, err := strconv.Atoi(args[1])
	ts.Check(err)
	to, err := strconv.Atoi(args[2])
	ts.Check(err)
	w, err := workspace.Open(context.Background(), workspace.Env{Dir: ts.MkAbs("."), Environ: environOf(ts), Now: time.Now, Version: "test"})
	ts.Check(err)
	for i := from; i <= to; i++ {
		_, err := w.Remember(context.Background(), workspace.Note{Type: typ, Text: strings.ReplaceAll(args[3], "#", strconv.Itoa(i)), Pending: true})
		ts.Check(err)
	}
	ts.Check(w.Close())
}

func cmdFsck(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) <= 1, "fsck [DIR]")
	dir := "."
	if len(args) == 1 {
		dir = args[0]
	}
	if err := ts.Exec("git", "-C", ts.MkAbs(dir), "fsck", "--strict", "--no-dangling", "--no-progress"); err != nil {
		ts.Fatalf("git fsck --strict: %v", err)
	}
	if said := strings.TrimSpace(ts.ReadFile("stderr") + ts.ReadFile("stdout")); said != "" && !strings.HasPrefix(said, "notice: ") {
		ts.Fatalf("git fsck --strict: %s", said)
	}
}

func cmdExits(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) >= 2, "exits CODE PROGRAM ARG...")
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	var got int
	if args[1] == "within" {
		got, err = codeWithin(ts, args[2:])
	} else {
		got, err = exitCode(ts.Exec(args[1], args[2:]...))
	}
	ts.Check(err)
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// patience is how long a program may sit on a standard input that does not
// end: far over its own deadline, so that a loaded machine does not matter.
const patience = 30 * time.Second

func cmdHangs(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) >= 1, "hangs PROGRAM ARG...")
	path := ""
	for _, dir := range filepath.SplitList(ts.Getenv("PATH")) {
		if p, err := exec.LookPath(filepath.Join(dir, args[0])); err == nil {
			path = p
			break
		}
	}
	cmd := exec.Command(path, args[1:]...)
	cmd.Dir, cmd.Env = ts.MkAbs("."), append(environOf(ts), "PWD="+ts.MkAbs("."))
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	stdin, err := cmd.StdinPipe()
	ts.Check(err)
	ts.Check(cmd.Start())
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	_, _ = stdin.Write([]byte(`{"session_id":`))
	select {
	case err = <-done:
	case <-time.After(patience):
		_ = cmd.Process.Kill()
		<-done
		err = fmt.Errorf("it did not end within %s", patience)
	}
	_ = stdin.Close()
	if err != nil || out.Len() > 0 {
		ts.Fatalf("%s: %v\n%s", strings.Join(args, " "), err, out.String())
	}
}

// environOf is the environment of a script as far as programs need it.
func environOf(ts *testscript.TestScript) []string {
	env := []string{"PATH=" + ts.Getenv("PATH"), "GIT_CEILING_DIRECTORIES=" + ts.Getenv("GIT_CEILING_DIRECTORIES")}
	for key := range hermeticGit("") {
		env = append(env, key+"="+ts.Getenv(key))
	}
	return env
}

func cmdSession(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 3, "session FILE ID SPEC")
	data, err := sessionFrom(ts.ReadFile(args[2]), args[1], ts.MkAbs("."))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}

func cmdDemoSession(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 2, "demosession NAME FILE")
	recorded := map[string]func(string) []byte{"storage": templates.DemoStorage, "alerts": templates.DemoAlerts}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), recorded[args[0]](ts.MkAbs(".")), 0o666))
}

func cmdPayload(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) >= 1, "payload FILE KEY=VALUE...")
	fields := map[string]string{"cwd": ts.MkAbs("."), "permission_mode": "default"}
	for _, arg := range args[1:] {
		key, value, _ := strings.Cut(arg, "=")
		if (key == "transcript_path" || key == "agent_transcript_path") && value != "" {
			value = ts.MkAbs(value)
		}
		fields[key] = value
	}
	data, err := json.Marshal(fields)
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), data, 0o666))
}

func cmdWrite(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 2, "write FILE TEXT")
	text := unescaped(args[1])
	path := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(path), 0o777))
	ts.Check(os.WriteFile(path, []byte(text), 0o666))
}

func cmdSetting(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 2, "setting KEY VALUE")
	ts.Check(setSetting(ts.MkAbs("."), args[0], args[1]))
}

// setSetting gives a key of the settings of the working tree at dir a value.
func setSetting(dir, key, value string) error {
	name := filepath.Join(dir, ".cortex", "config.yaml")
	data, err := os.ReadFile(name)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	line := []byte(key + ": " + value + "\n")
	earlier := regexp.MustCompile("(?m)^" + key + ": .*\n")
	if !earlier.Match(data) {
		return os.WriteFile(name, append(data, line...), 0o666)
	}
	return os.WriteFile(name, earlier.ReplaceAllLiteral(data, line), 0o666)
}

// unescaped is a text of a script, in which there are no lines.
func unescaped(text string) string {
	return strings.NewReplacer(`\n`, "\n", `\r`, "\r", `\t`, "\t").Replace(text)
}

func cmdFill(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 3, "fill FILE BYTES TEXT")
	size, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(strings.Repeat(args[2], size/len(args[2])+1)), 0o666))
}

// cmdToken puts a token of a known form together here, because hosts refuse a
// push that holds one in one piece.
func cmdToken(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 1, "token VAR")
	ts.Setenv(args[0], strings.Join([]string{"ghp", "fAkE1tEsT2tOkEn3oPeNs4nOtHiNg5aTaLl6"}, "_"))
}

func cmdMask(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 3, "mask FILE REGEXP TEXT")
	re, err := regexp.Compile(args[1])
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[0]), []byte(re.ReplaceAllString(ts.ReadFile(args[0]), unescaped(args[2]))), 0o666))
}

// cmdColumns fails when a line of FILE is wider than N columns.
func cmdColumns(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 2, "columns FILE N")
	limit, err := strconv.Atoi(args[1])
	ts.Check(err)
	for line := range strings.Lines(ts.ReadFile(args[0])) {
		if n := console.Columns(strings.TrimRight(line, "\n")); n > limit {
			ts.Fatalf("%d columns, at most %d: %s", n, limit, line)
		}
	}
}

func cmdKeep(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) >= 2, "keep NAME PATH...")
	data, err := json.Marshal(keptFiles{Paths: args[1:], Files: filesOf(ts, args[1:])})
	ts.Check(err)
	ts.Check(os.WriteFile(filepath.Join(ts.Getenv("WORK"), ".tmp", "keep-"+args[0]), data, 0o666))
}

func cmdKept(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, false, len(args) == 1, "kept NAME")
	data, err := os.ReadFile(filepath.Join(ts.Getenv("WORK"), ".tmp", "keep-"+args[0]))
	ts.Check(err)
	var before keptFiles
	ts.Check(json.Unmarshal(data, &before))
	now := filesOf(ts, before.Paths)
	var changes []string
	for path, content := range before.Files {
		if got, ok := now[path]; !ok {
			changes = append(changes, path+" is gone")
		} else if !bytes.Equal(got, content) {
			changes = append(changes, fmt.Sprintf("%s was\n%q\nand is\n%q", path, content, got))
		}
	}
	for path := range now {
		if _, ok := before.Files[path]; !ok {
			changes = append(changes, path+" is new")
		}
	}
	slices.Sort(changes)
	if neg != (len(changes) > 0) {
		ts.Fatalf("%d changes\n%s", len(changes), strings.Join(changes, "\n"))
	}
}

type keptFiles struct {
	Paths []string
	Files map[string][]byte // path to mode and bytes; folders too
}

func filesOf(ts *testscript.TestScript, paths []string) map[string][]byte {
	out := map[string][]byte{}
	for _, p := range paths {
		top := ts.MkAbs(p)
		err := filepath.WalkDir(top, func(path string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(ts.MkAbs("."), path)
			if err != nil {
				return err
			}
			if d.IsDir() {
				if d.Name() == ".git" && path != top {
					return fs.SkipDir
				}
				out[filepath.ToSlash(rel)+"/"] = nil
				return nil
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			var data []byte
			if info.Mode()&fs.ModeSymlink != 0 {
				link, err := os.Readlink(path)
				if err != nil {
					return err
				}
				data = []byte(link)
			} else if data, err = os.ReadFile(path); err != nil {
				return err
			}
			out[filepath.ToSlash(rel)] = append([]byte(info.Mode().String()+" "), data...)
			return nil
		})
		ts.Check(err)
	}
	return out
}

func cmdVisible(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) == 1, "visible FILE")
	if text := ts.ReadFile(args[0]); memory.Clean(text) != text {
		ts.Fatalf("there is something invisible in %q", text)
	}
}

func cmdDefanged(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) > 0, "defanged FILE REGEXP...")
	text := ts.ReadFile(args[0])
	safe := memory.Defang(text)
	for _, ours := range []string{projection.BriefingOpen, projection.BriefingClose} {
		safe = strings.ReplaceAll(safe, memory.Defang(ours), ours)
	}
	if safe != text {
		ts.Fatalf("an agent may take a part of this for its harness's:\n%s", text)
	}
	matchAll(ts, text, args[1:])
}

func matchAll(ts *testscript.TestScript, text string, expressions []string) {
	for _, e := range expressions {
		if !regexp.MustCompile("(?m)" + e).MatchString(text) {
			ts.Fatalf("no match for %q in:\n%s", e, text)
		}
	}
}

func cmdEvidence(ts *testscript.TestScript, neg bool, args []string) {
	calledAs(ts, neg, len(args) > 0, "evidence FILE REGEXP...")
	cmdDefanged(ts, false, args[:1])
	text := ts.ReadFile(args[0])
	open := regexp.MustCompile(`(?m)^=== evidence (\S+) ===.*$`).FindStringSubmatchIndex(text)
	if open == nil {
		ts.Fatalf("nothing says that this is evidence:\n%s", text)
	}
	inside, _, closed := strings.Cut(text[open[1]:], "\n=== end of evidence "+text[open[2]:open[3]]+" ===\n")
	if !closed || strings.TrimSpace(inside) == "" {
		ts.Fatalf("the evidence has no end:\n%s", text)
	}
	matchAll(ts, inside, args[1:])
}
