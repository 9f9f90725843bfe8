package gitcmd

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestVersion(t *testing.T) {
	for out, want := range map[string]string{
		"git version 2.39.5":                 "2 39 2.39.5",
		"git version 2.39.5 (Apple Git-154)": "2 39 2.39.5",
		"git version 2.54.0.windows.1":       "2 54 2.54.0.windows.1",
		"git version 2.55.GIT":               "2 55 2.55.GIT",
		"git version 2.54-rc1":               "2 54 2.54-rc1",
		"git version 3":                      "",
		"hg 7.0":                             "",
	} {
		v, ok := parseVersion(out + "\n")
		if got := fmt.Sprint(v.major, v.minor, " ", v.Text); ok != (want != "") || ok && got != want {
			t.Errorf("%s: %s, %v", out, got, ok)
		}
	}
}

func TestKindOf(t *testing.T) {
	for said, want := range map[string]string{
		"git@host: Permission denied (publickey).":                                         RemoteAuth,
		"fatal: could not read Username for 'https://host': terminal prompts disabled":     RemoteAuth,
		"fatal: unable to access 'https://host/x/': The requested URL returned error: 403": RemoteAuth,
		"fatal: unable to access 'https://host/x/': Could not resolve host: host":          RemoteUnreachable,
		"ssh: connect to host h port 22: Connection refused":                               RemoteUnreachable,
		"fatal: repository 'https://host/x/' not found":                                    RemoteMissing,
		"fatal: the sky fell": RemoteFailed,
	} {
		if got := kindOf(said); got != want {
			t.Errorf("%s: %s, want %s", said, got, want)
		}
	}
	if got := Anonymous("fatal: unable to access 'https://ann:secret@host/x/'"); got != "fatal: unable to access 'https://host/x/'" {
		t.Error(got)
	}
}

// TestNetworkEnv: what the user set for the network holds, nothing leads into
// another repository, and only a person at a terminal is asked for a password.
func TestNetworkEnv(t *testing.T) {
	kept := []string{"GIT_SSH_COMMAND=ssh -4", "GIT_SSH_VARIANT=ssh", "GIT_SSL_NO_VERIFY=1", "GIT_ALLOW_PROTOCOL=https", "SSH_AUTH_SOCK=/s", "HOME=/h"}
	g := &Runner{Environ: append([]string{"GIT_DIR=/x", "GIT_INDEX_FILE=/y", "GIT_CONFIG_PARAMETERS='a.b=c'", "GIT_TRACE=1", "GIT_TRACE_CURL=1", "LC_ALL=de_DE", "PWD=/p"}, kept...)}
	own := []string{"LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1", "GIT_PAGER=cat"}
	if diff := cmp.Diff(slices.Concat(kept, own), g.networkEnv(true)); diff != "" {
		t.Errorf("with a person:\n%s", diff)
	}
	if diff := cmp.Diff(slices.Concat(kept, own, []string{"GIT_TERMINAL_PROMPT=0"}), g.networkEnv(false)); diff != "" {
		t.Errorf("with nobody:\n%s", diff)
	}
}

func TestHosted(t *testing.T) {
	for url, want := range map[string]bool{
		"https://github.com/a/b.git": true, "ssh://git@host:22/a": true, "git@gitlab.com:a/b.git": true, "host:a": true,
		"git://host/a": true, "work:a/b": true, "file:///srv/a.git": false, "/srv/a.git": false, "../a": false, "./a:b": false,
		`C:\repos\a`: false, "C:/repos/a": false, "a.bundle": false, "": false,
	} {
		if got := isHosted(url); got != want {
			t.Errorf("%q: %v", url, got)
		}
	}
}

// TestFlood: of a git that prints without end no more is kept than the bound.
func TestFlood(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the git of this test is a shell script, which Windows does not run by itself")
	}
	git := filepath.Join(t.TempDir(), "git")
	script := "#!/bin/sh\ncase $1 in out) exec head -c 80000000 /dev/zero;; err) head -c 80000 /dev/zero | tr '\\0' x >&2; exit 3;; esac\n"
	if err := os.WriteFile(git, []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	g := &Runner{Binary: git, Dir: t.TempDir(), Env: os.Environ(), Environ: os.Environ()}
	for name, run := range map[string]func() ([]byte, error){
		"Run":      func() ([]byte, error) { return g.Run(t.Context(), Command{Args: []string{"out"}}) },
		"Combined": func() ([]byte, error) { return g.Combined(t.Context(), Command{Args: []string{"out"}}) },
		"Online": func() ([]byte, error) {
			out, failed := g.Online(t.Context(), "origin", Network{}, []string{"out"})
			if failed == nil {
				return out, nil
			}
			return out, failed.Err
		},
	} {
		out, err := run()
		if len(out) > stdoutCap || err == nil || !strings.Contains(err.Error(), "more than 64 MB") {
			t.Errorf("%s: %d bytes, %v", name, len(out), err)
		}
	}
	_, err := g.Run(t.Context(), Command{Args: []string{"err"}})
	if said := err.(*Error).Stderr; len(said) != stderrCap || ExitCode(err) != 3 {
		t.Errorf("%d bytes of standard error, %v", len(said), ExitCode(err))
	}
}

// TestVersionOnce: git is asked for its version once, and again when it is another.
func TestVersionOnce(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the git of this test is a shell script, which Windows does not run by itself")
	}
	dir := t.TempDir()
	g := &Runner{Binary: filepath.Join(dir, "git"), Dir: dir, Env: os.Environ(), Asked: new(Asked)}
	for _, version := range []string{"2.39.5", "2.54.10"} {
		if err := os.WriteFile(g.Binary, []byte("#!/bin/sh\necho asked >>asked\necho git version "+version+"\n"), 0o777); err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if v, err := g.Version(t.Context()); err != nil || v.Text != version {
				t.Errorf("%s: %+v, %v", version, v, err)
			}
		}
	}
	if said, err := os.ReadFile(filepath.Join(dir, "asked")); err != nil || string(said) != "asked\nasked\n" {
		t.Errorf("asked %q, %v", said, err)
	}
}
