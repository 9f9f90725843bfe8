package main

import (
	"bytes"
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/git-cortex/cortex/tools/mockmodel"
)

// project is the repository that the sessions are in.
//
//go:embed project
var project embed.FS

// memoriesTSV has the memories of the project: a type, a text and a trigger a line, the
// oldest first. A briefing has no room for the first three, of which moments speak.
//
//go:embed memories.tsv
var memoriesTSV string

//go:embed scripts.json
var scriptsJSON []byte

const patience = 3 * time.Minute // that a client has for one prompt, on a machine that has other work

// world holds what all sessions share: folders, scripts, and what was seen.
type world struct {
	*options
	dir     string // scratch folder
	scripts map[string]mockmodel.Script

	mu   sync.Mutex
	seen map[string]map[string]cell // by client and row
	errs map[string]error
}

// newWorld makes the folders.
func newWorld(dir string, o *options) (*world, error) {
	w := &world{options: o, dir: dir, seen: map[string]map[string]cell{}, errs: map[string]error{}}
	if err := json.Unmarshal(scriptsJSON, &w.scripts); err != nil {
		return nil, fmt.Errorf("reading scripts.json: %w", err)
	}
	for _, path := range []*string{&o.clients, &o.cortex, &o.root} {
		whole, err := filepath.Abs(*path)
		if err != nil {
			return nil, err
		}
		*path = whole
	}
	bin := filepath.Join(dir, "bin")
	if err := os.MkdirAll(bin, 0o777); err != nil {
		return nil, err
	}
	if o.record == "" {
		return w, os.Symlink(o.cortex, filepath.Join(bin, "cortex"))
	}
	return w, os.WriteFile(filepath.Join(bin, "cortex"), []byte(recorder(o.cortex)), 0o777)
}

// folder is the folder of the package of a client.
func (w *world) folder(a *agent) string {
	return filepath.Join(w.clients, a.name, "node_modules", a.pkg)
}

// session is a repository and a home folder in which a client runs, and the model that
// it talks to.
type session struct {
	*world
	*agent
	name  string
	dir   string
	url   string // of the model
	model *mockmodel.Server
	said  bytes.Buffer // by the client
	cells map[string]cell
	known []string // what a recording keeps of long texts
	stop  func()
}

// repo is the working tree, and home the home folder.
func (s *session) repo() string { return filepath.Join(s.dir, "repo") }
func (s *session) home() string { return filepath.Join(s.dir, "home") }

// open makes the folders of a session, and starts its model.
func (w *world) open(ctx context.Context, a *agent, name string) (*session, error) {
	s := &session{
		world: w, agent: a, name: name, dir: filepath.Join(w.dir, a.name, name), cells: map[string]cell{},
	}
	for _, dir := range []string{s.repo(), s.home(), filepath.Join(s.dir, "tmp")} {
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return nil, err
		}
	}
	if err := s.plant(ctx); err != nil {
		return nil, err
	}
	record, err := os.Create(filepath.Join(s.dir, "requests.jsonl"))
	if err != nil {
		return nil, err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, errors.Join(err, record.Close())
	}
	s.model = &mockmodel.Server{Scripts: w.scripts, Record: record}
	s.url = "http://" + listener.Addr().String()
	server := &http.Server{Handler: s.model, ReadHeaderTimeout: patience}
	go func() { _ = server.Serve(listener) }()
	s.stop = func() {
		_ = server.Close()
		_ = record.Close()
		_ = os.WriteFile(filepath.Join(s.dir, "said.txt"), s.said.Bytes(), 0o666)
	}
	return s, a.prepare(s)
}

// plant puts the project into the repository, and sets cortex up for the agent.
func (s *session) plant(ctx context.Context) error {
	files, err := project.ReadDir("project")
	if err != nil {
		return err
	}
	for _, f := range files {
		data, err := project.ReadFile("project/" + f.Name())
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(s.repo(), f.Name()), data, 0o777); err != nil {
			return err
		}
	}
	if err := s.remember(); err != nil {
		return err
	}
	return s.all(ctx,
		[]string{"git", "init", "-q", "-b", "main"},
		[]string{"git", "config", "user.name", "Ada"},
		[]string{"git", "config", "user.email", "ada@example.org"},
		[]string{"cortex", "init", "-q", "--agent", s.agent.name},
		[]string{"git", "add", "-A"},
		[]string{"git", "commit", "-q", "-m", "begin"},
	)
}

// remember writes the memories of the project.
func (s *session) remember() error {
	for i, line := range strings.Split(strings.TrimSuffix(memoriesTSV, "\n"), "\n") {
		cells := strings.Split(line, "\t")
		id := fmt.Sprintf("%07d000000v11", i+1)
		dir := filepath.Join(s.repo(), ".cortex", "memories", cells[0], "2026-10")
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		trigger := ""
		if cells[2] != "" {
			trigger = fmt.Sprintf("triggers: [%q]\n", cells[2])
		}
		title, body, _ := strings.Cut(cells[1], `\n`)
		head := fmt.Sprintf("id: %s\ntype: %s\ntitle: %q\ncreated: 2026-10-%02dT09:00:00Z\n", id, cells[0], title, i+1)
		text := "---\n" + head + trigger + "source: {agent: human, branch: main}\n---\n" +
			strings.ReplaceAll(body, `\n`, "\n") + "\n"
		if err := os.WriteFile(filepath.Join(dir, "m-"+id[:7]+".md"), []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// all runs programs in the repository, one after the other.
func (s *session) all(ctx context.Context, commands ...[]string) error {
	for _, c := range commands {
		if _, err := s.exec(ctx, nil, c...); err != nil {
			return err
		}
	}
	return nil
}

// environ is the environment of all that runs in a session. Nothing of the host's is in
// it but the folders of its programs.
func (s *session) environ(more []string) []string {
	return append([]string{
		"PATH=" + filepath.Join(s.dir, "programs") + ":" + filepath.Join(s.world.dir, "bin") + ":" + os.Getenv("PATH"), "HOME=" + s.home(),
		"TMPDIR=" + filepath.Join(s.dir, "tmp"), "TERM=dumb", "LANG=C.UTF-8", "CI=1", "NO_COLOR=1",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "RECORD_TO=" + s.recordTo(),
	}, more...)
}

// recordTo is where the hooks of a session put what they are told, once it has begun.
func (s *session) recordTo() string {
	if s.model == nil || s.record == "" {
		return ""
	}
	return filepath.Join(s.dir, "hooks")
}

// exec runs a program in the repository and returns what it prints. One that fails is an
// error, and so is one that does not end.
func (s *session) exec(ctx context.Context, env []string, command ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	program := command[0]
	if program == "cortex" {
		program = filepath.Join(s.world.dir, "bin", "cortex")
	}
	cmd := exec.CommandContext(ctx, program, command[1:]...)
	cmd.Dir, cmd.Env, cmd.WaitDelay = s.repo(), s.environ(env), time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	from := time.Now()
	err := cmd.Run()
	took := time.Since(from).Seconds()
	fmt.Fprintf(&s.said, "$ %q\n%s%s(%.1f s, %v)\n", command, out.Bytes(), errs.Bytes(), took, err)
	if err != nil {
		said := tail(out.String()) + tail(errs.String())
		return out.String(), fmt.Errorf("running %s: %w\n%s", strings.Join(command, " "), err, said)
	}
	return out.String(), nil
}

// tail is the end of what a program printed.
func tail(text string) string {
	lines := slices.Collect(strings.Lines(text))
	return strings.Join(lines[max(0, len(lines)-12):], "")
}
