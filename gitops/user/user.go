// Package user asks git what belongs to the user and to no repository: their settings, and the
// passwords that their credential helpers keep.
//
// Call [Open] first. Git runs as outside of any repository, so that no file of a repository has a
// part in an answer; what counts is the configuration of the user and of the machine, and that in the
// variables of the environment. Git prompts only where a call says so.
package user

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"strings"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
)

// Git is git in the name of a user. It is safe for concurrent use.
type Git struct{ runner *gitcmd.Runner }

// Open returns the git of an environment, as os.Environ returns it.
func Open(environ []string) (*Git, error) {
	binary, err := gitcmd.Find(environ, "")
	if err != nil {
		return nil, err
	}
	// A folder of a repository that is none: git looks for no other.
	env := append(gitcmd.Env(environ, false), "GIT_DIR="+os.DevNull)
	return &Git{&gitcmd.Runner{Binary: binary, Env: env, Environ: environ}}, nil
}

// Settings are the settings whose keys, in lower case, begin with a prefix; of several values the last.
func (g *Git) Settings(ctx context.Context, prefix string) (map[string]string, error) {
	out, err := g.runner.ConfigLines(ctx)
	if err != nil {
		return nil, err
	}
	found := map[string]string{}
	for _, s := range gitcmd.ParseConfig(out).Settings(prefix) {
		found[s.Key] = s.Value
	}
	return found, nil
}

// Mentions reports whether the configuration may hold a word, in lower case, without the process that
// asking git costs: true as well where only git can tell.
func (g *Git) Mentions(word string) bool {
	state, ok := gitcmd.UserConfigState(g.runner.Environ)
	return !ok || strings.Contains(strings.ToLower(state), word)
}

// Tags are the tags of the repository at an address, which is asked over the network, as git ls-remote lists them.
func (g *Git) Tags(ctx context.Context, address string) (string, error) {
	outside := gitcmd.Network{Env: []string{"GIT_DIR=" + os.DevNull}}
	out, failed := g.runner.Online(ctx, address, outside, []string{"ls-remote", "--tags", "--refs", "--", address})
	if failed != nil {
		return "", failed
	}
	return string(out), nil
}

// Set sets a value in the file of the user.
func (g *Git) Set(ctx context.Context, key, value string) error {
	_, err := g.runner.Ask(ctx, "setting "+key, "config", "--global", key, value)
	return err
}

// Login is a user and a password or token.
type Login struct{ User, Secret string }

// ErrNoLogin says that git knows no password for an address.
var ErrNoLogin = errors.New("git knows no password")

// Login returns the login that git's credential helpers have for an address. With prompt git asks the person at the
// terminal for what they lack.
func (g *Git) Login(ctx context.Context, u *url.URL, prompt bool) (Login, error) {
	env := []string{"GIT_ASKPASS=", "SSH_ASKPASS="} // no window
	if prompt {
		env = []string{"GIT_TERMINAL_PROMPT=1"}
	}
	out, err := g.credential(ctx, "fill", describe(u, Login{}), env)
	if gitcmd.ExitCode(err) > 0 {
		return Login{}, fmt.Errorf("%w for %s", ErrNoLogin, u.Host)
	}
	if err != nil {
		return Login{}, err
	}
	var l Login
	for line := range strings.Lines(out) {
		switch key, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), "="); key {
		case "username":
			l.User = value
		case "password":
			l.Secret = value
		}
	}
	if l.Secret == "" {
		return Login{}, fmt.Errorf("%w for %s", ErrNoLogin, u.Host)
	}
	return l, nil
}

// Approve has git's credential helpers keep a login.
func (g *Git) Approve(ctx context.Context, u *url.URL, l Login) error {
	_, err := g.credential(ctx, "approve", describe(u, l), nil)
	return err
}

// Reject has git's credential helpers forget a login.
func (g *Git) Reject(ctx context.Context, u *url.URL, l Login) error {
	_, err := g.credential(ctx, "reject", describe(u, l), nil)
	return err
}

func (g *Git) credential(ctx context.Context, verb, about string, env []string) (string, error) {
	return g.runner.Text(ctx, gitcmd.Command{
		Doing: "asking git for a password", Args: []string{"credential", verb}, Stdin: strings.NewReader(about),
		Env: env,
	})
}

// describe returns the lines that git's credential helpers read.
func describe(u *url.URL, l Login) string {
	var b strings.Builder
	for _, part := range [][2]string{
		{"protocol", u.Scheme},
		{"host", u.Host},
		{"path", strings.Trim(u.Path, "/")},
		{"username", l.User},
		{"password", l.Secret},
	} {
		if part[1] != "" && !strings.ContainsAny(part[1], "\n\x00") {
			_, _ = io.WriteString(&b, part[0]+"="+part[1]+"\n")
		}
	}
	return b.String() + "\n"
}
