// Package pgtest gives tests real PostgreSQL servers: those of the system, and one whose programs are in
// the folder that CORTEX_POSTGRES names.
//
// Call [Each] in a test, and [Stop] after the last one. A server runs in a temporary folder, on a Unix socket,
// as a user without rights. A test is skipped, with a word, where there is none.
package pgtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/git-cortex/cortex/internal/lists"
)

// Server is a running PostgreSQL.
type Server struct {
	Version string // such as "15.20"

	dir  string
	tell *exec.Cmd
	stop func()

	mu    sync.Mutex
	bases int
}

// running are the servers of this process. They are started when the first test asks.
type running struct {
	once sync.Once
	list []*Server
	err  error
}

var servers running //nolint:gochecknoglobals // one server for all tests of a process: to start one takes seconds

// Each runs a test for every server there is.
func Each(t *testing.T, test func(t *testing.T, s *Server)) {
	t.Helper()
	for _, s := range All(t) {
		t.Run(s.Version, func(t *testing.T) { test(t, s) })
	}
}

// All are the servers there are. Without one the test is skipped.
func All(t testing.TB) []*Server {
	t.Helper()
	servers.once.Do(func() { servers.list, servers.err = startAll() })
	if servers.err != nil {
		t.Fatal(servers.err)
	}
	if len(servers.list) == 0 {
		t.Skip("PostgreSQL is missing: install the package postgresql, or name the folder of its programs " +
			"in CORTEX_POSTGRES")
	}
	return servers.list
}

// Stop stops the servers. Call it when all tests are done.
func Stop() {
	for _, s := range servers.list {
		s.stop()
	}
}

// folders are those with the programs of a server.
func folders() []string {
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin")
	if own := os.Getenv("CORTEX_POSTGRES"); own != "" {
		found = append(found, own)
	}
	return lists.Without(found, func(dir string) bool {
		_, err := os.Stat(filepath.Join(dir, "initdb"))
		return err != nil
	})
}

func startAll() (list []*Server, err error) {
	for _, programs := range folders() {
		s, err := start(programs)
		if err != nil {
			return list, fmt.Errorf("starting the PostgreSQL of %s: %w", programs, err)
		}
		list = append(list, s)
	}
	return list, nil
}

// room is the folder in which servers are fastest: a Unix socket needs a short name.
func room() string {
	if _, err := os.Stat("/dev/shm"); err == nil {
		return "/dev/shm"
	}
	return os.TempDir()
}

func start(programs string) (*Server, error) {
	dir, err := os.MkdirTemp(room(), "pg")
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, stop: func() { _ = os.RemoveAll(dir) }}
	user, err := unprivileged(dir)
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	run := func(program string, args ...string) *exec.Cmd {
		cmd := exec.Command(filepath.Join(programs, program), args...)
		cmd.Dir, cmd.SysProcAttr = dir, user
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "LC_ALL=C.UTF-8", "TZ=UTC"}
		return cmd
	}
	data := filepath.Join(dir, "data")
	out, err := run("initdb", "-D", data, "-U", "super", "-A", "trust", "-E", "UTF8", "-N").CombinedOutput()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("initdb: %w: %s", err, out), os.RemoveAll(dir))
	}
	server := run("postgres", "-D", data, "-k", dir, "-h", "", "-c", "fsync=off", "-c", "synchronous_commit=off",
		"-c", "full_page_writes=off", "-c", "max_connections=60", "-c", "shared_buffers=64MB")
	log, err := os.Create(filepath.Join(dir, "log"))
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	server.Stdout, server.Stderr = log, log
	if err := server.Start(); err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	s.tell = server
	s.stop = func() {
		_ = server.Process.Signal(os.Interrupt) // a fast shutdown
		_ = server.Wait()
		_ = os.RemoveAll(dir)
	}
	if err := s.prepare(); err != nil {
		said, _ := os.ReadFile(log.Name())
		s.stop()
		return nil, fmt.Errorf("%w: %s", err, said)
	}
	return s, nil
}

// prepare waits until the server answers, and makes the user of the tests, who owns databases and has no
// other right than to make roles.
func (s *Server) prepare() error {
	err := errors.New("the server was not asked")
	for range 200 {
		if err = s.as("super", "postgres", "select pg_sleep(0.05)"); err == nil {
			break
		}
		if s.tell.ProcessState != nil || strings.Contains(err.Error(), "permission") {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err != nil {
		return err
	}
	conn, err := pgx.Connect(context.Background(), s.dsn("super", "postgres"))
	if err != nil {
		return err
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(context.Background(), "show server_version").Scan(&s.Version); err != nil {
		return err
	}
	s.Version, _, _ = strings.Cut(s.Version, " ")
	_, err = conn.Exec(context.Background(), "create role hub login createrole")
	return err
}

func (s *Server) dsn(user, base string) string {
	return fmt.Sprintf("host=%s user=%s dbname=%s", s.dir, user, base)
}

func (s *Server) as(user, base, statement string) error {
	conn, err := pgx.Connect(context.Background(), s.dsn(user, base))
	if err != nil {
		return err
	}
	defer conn.Close(context.Background())
	_, err = conn.Exec(context.Background(), statement)
	return err
}

// Database makes a new database and returns how its owner connects to it.
func (s *Server) Database(t testing.TB) string {
	t.Helper()
	s.mu.Lock()
	s.bases++
	name := fmt.Sprintf("base%d", s.bases)
	s.mu.Unlock()
	if err := s.as("super", "postgres", "create database "+name+" owner hub"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.as("super", "postgres", "drop database "+name+" with (force)") })
	return s.dsn("hub", name)
}

// Exec runs statements as whoever connects so.
func Exec(t testing.TB, dsn string, statements ...string) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	for _, statement := range statements {
		if _, err := conn.Exec(context.Background(), statement); err != nil {
			t.Fatalf("%s: %v", statement, err)
		}
	}
}

// Number runs a statement that returns one row with one whole number, and returns it.
func Number(t testing.TB, dsn, statement string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if err := conn.QueryRow(context.Background(), statement).Scan(&n); err != nil {
		t.Fatalf("%s: %v", statement, err)
	}
	return n
}
