package gitcmd

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
)

// Network says how one command may use the network. The zero value
// prompts for nothing and gives up on a remote that is silent for a minute.
type Network struct {
	// Prompt lets git and ssh ask for a password: a person sits at the terminal.
	Prompt bool
	// Idle is how long nothing may come from git before it is stopped; 0 is a
	// minute, or five where somebody may have to find a password.
	Idle time.Duration
	// Progress gets git's own words about how far it is; it may be nil.
	Progress func(line string)
	// Env is added to the environment of git; the last value of a name counts.
	Env []string
	// Stdin is the input of git; nil is empty.
	Stdin io.Reader
}

// Kinds of [RemoteError].
const (
	RemoteAuth        = "auth"        // the remote does not know the user, or lets nobody in
	RemoteUnreachable = "unreachable" // no network, no such host, nobody listens
	RemoteMissing     = "missing"     // there is no repository at the address
	RemoteSilent      = "silent"      // nothing came for too long
	RemoteRefused     = "refused"     // the remote does not take what is pushed
	RemoteMalformed   = "malformed"   // it has objects that git does not let in
	RemoteLocked      = "locked"      // another git is writing our image of the remote, or was killed
	RemoteFailed      = "failed"      // anything else
)

// RemoteError is a remote that could not be read or written. Said is the lines
// of git and of the remote that tell why; they are untrusted.
type RemoteError struct {
	Remote string
	Kind   string
	Said   []string
	Err    error
}

func (e *RemoteError) Error() string {
	what := cmp.Or(cmp.Or(e.Said...), "git says nothing about why")
	switch e.Kind {
	case RemoteSilent:
		what = e.Err.Error()
	case RemoteLocked:
		return fmt.Sprintf("the ref for the journal of %s is being written by another process: %v", e.Remote, e.Err)
	case RemoteMalformed:
		return fmt.Sprintf("git does not let in the journal of %s: %s", e.Remote, what)
	case RemoteRefused:
		return fmt.Sprintf("%s refused the journal: %s", e.Remote, strings.Join(e.Said, "; "))
	}
	return fmt.Sprintf("talking to %s: %s", e.Remote, what)
}

func (e *RemoteError) Unwrap() error { return e.Err }

// Lacks reports whether the remote answered that it has no such ref.
func (e *RemoteError) Lacks(ref string) bool {
	return e.Kind == RemoteFailed && slices.ContainsFunc(e.Said, func(line string) bool {
		return strings.EqualFold(line, "couldn't find remote ref "+ref)
	})
}

// networkEnv is the environment in which git may use the network: all that
// the user has set for it, but nothing that leads to another repository.
// GIT_ALLOW_PROTOCOL stays as the user set it.
func (g *Runner) networkEnv(prompt bool) []string {
	env := lists.Without(g.Environ, func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.HasPrefix(name, "GIT_TRACE") || slices.Contains(localEnv(), name) || ofWording(name)
	})
	env = append(env, "LC_ALL=C", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1",
		"GIT_PAGER=cat")
	if !prompt {
		env = append(env, "GIT_TERMINAL_PROMPT=0")
	}
	return env
}

// localEnv names the variables that `git rev-parse --local-env-vars` lists, and those
// that would mix other text into git's messages.
func localEnv() []string {
	return []string{
		"GIT_DIR", "GIT_WORK_TREE", "GIT_COMMON_DIR", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_NAMESPACE",
		"GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_QUARANTINE_PATH",
		"GIT_CONFIG", "GIT_CONFIG_PARAMETERS", "GIT_GRAFT_FILE", "GIT_SHALLOW_FILE", "GIT_IMPLICIT_WORK_TREE",
		"GIT_INTERNAL_SUPER_PREFIX", "GIT_REPLACE_REF_BASE", "GIT_CURL_VERBOSE",
	}
}

// watch reads what git says: it keeps the lines that mean something, hands on
// the others, and notes that something came.
type watch struct {
	mu       sync.Mutex
	line     []byte
	said     []string
	progress func(string)
	alive    func()
}

const (
	maxSaid = 40  // lines that are kept
	maxLine = 300 // bytes of one
)

func (w *watch) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.alive()
	for _, c := range p {
		if !strings.ContainsRune("\n\r", rune(c)) {
			if len(w.line) < maxLine {
				w.line = append(w.line, c)
			}
			continue
		}
		w.end(c == '\n')
	}
	return len(p), nil
}

func (w *watch) end(whole bool) {
	line := strings.TrimSpace(Anonymous(string(w.line)))
	w.line = w.line[:0]
	switch {
	case line == "":
	case !whole, isProgress(line):
		if w.progress != nil {
			w.progress(line)
		}
	case len(w.said) < maxSaid:
		w.said = append(w.said, line)
	}
}

// isProgress reports whether a line only says how far git is.
func isProgress(line string) bool {
	return strings.Contains(line, "% (") || strings.HasSuffix(line, ", done.")
}

// Anonymous takes user name and password out of an address.
func Anonymous(line string) string {
	scheme := strings.Index(line, "://")
	if scheme < 0 {
		return line
	}
	host, _, _ := strings.Cut(line[scheme+3:], "/")
	if at := strings.LastIndexByte(host, '@'); at >= 0 && !strings.ContainsAny(host[:at], " '\"") {
		return line[:scheme+3] + line[scheme+3+at+1:]
	}
	return line
}

// errSilent is the cause of a command that was stopped for saying nothing.
var errSilent = errors.New("no answer")

// Online runs git with the network and returns its stdout. A failure is a
// [*RemoteError], or the context's own error.
func (g *Runner) Online(ctx context.Context, remote string, n Network, args []string) ([]byte, *RemoteError) {
	idle := n.Idle
	if idle <= 0 {
		idle = time.Minute
		if n.Prompt {
			idle *= 5
		}
	}
	life, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	cmd, _ := g.prepare(life, Command{Args: args})
	timer := time.AfterFunc(idle, func() { stop(errSilent) })
	defer timer.Stop()
	heard := &watch{progress: n.Progress, alive: func() { timer.Reset(idle) }}
	out := &output{limit: stdoutCap, full: stop, alive: heard.alive}
	cmd.Env, cmd.Stdin, cmd.Stdout, cmd.Stderr = append(g.networkEnv(n.Prompt), n.Env...), n.Stdin, out, heard
	swept := family(cmd, !n.Prompt)
	err := cmd.Run()
	if life.Err() != nil {
		swept()
	}
	heard.end(true)
	if err == nil || errors.Is(err, exec.ErrWaitDelay) { // ssh's shared connection may outlive git and hold its stderr
		return out.buf.Bytes(), nil
	}
	failed := &RemoteError{Remote: remote, Kind: RemoteFailed, Said: telling(heard.said), Err: err}
	switch {
	case ctx.Err() != nil:
		failed.Said, failed.Err = []string{"interrupted"}, ctx.Err()
	case out.over:
		failed.Said, failed.Err = []string{errFlood.Error()}, errFlood
	case errors.Is(context.Cause(life), errSilent):
		failed.Kind, failed.Err = RemoteSilent, fmt.Errorf("%w for %s", errSilent, idle)
	default:
		failed.Kind = kindOf(strings.Join(heard.said, "\n"))
	}
	return out.buf.Bytes(), failed
}

// telling leaves out what only tells how far git had come, and puts what git
// died of first.
func telling(said []string) []string {
	var first, rest []string
	for _, line := range said {
		if text, ok := strings.CutPrefix(line, "fatal: "); ok && len(first) == 0 &&
			!strings.HasPrefix(text, "Could not read from remote") {
			first = append(first, text)
			continue
		}
		line = strings.TrimPrefix(strings.TrimPrefix(line, "error: "), "fatal: ")
		about := strings.TrimSpace(strings.TrimPrefix(line, "remote:"))
		switch word, _, _ := strings.Cut(about, " "); word {
		case "", "Enumerating", "Counting", "Compressing", "Delta", "Total", "From", "To", "hint:", "warning:", "Done":
		default:
			rest = append(rest, about)
		}
	}
	return append(first, rest...)
}

// kindOf reads git's and ssh's own words. What it does not know is RemoteFailed.
func kindOf(said string) string {
	said = strings.ToLower(said)
	for _, k := range []struct {
		kind  string
		words []string
	}{
		{RemoteAuth, []string{
			"permission denied", "authentication failed", "could not read username", "could not read password",
			"terminal prompts disabled",
			"host key verification failed", "returned error: 401", "returned error: 403", "access denied",
			"invalid credentials", "unauthorized",
		}},
		{RemoteUnreachable, []string{
			"could not resolve", "failed to connect", "couldn't connect", "connection refused",
			"connection timed out", "operation timed out",
			"network is unreachable", "no route to host", "name or service not known",
			"temporary failure in name resolution",
			"connection reset", "connection closed", "unable to look up",
		}},
		{RemoteMalformed, []string{"fsck error in packed object", "error in object: ", "error: object "}},
		{RemoteMissing, []string{
			"does not appear to be a git repository", "repository not found", "does not exist",
			"' not found",
		}},
	} {
		if slices.ContainsFunc(k.words, func(w string) bool { return strings.Contains(said, w) }) {
			return k.kind
		}
	}
	return RemoteFailed
}
