package clone

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/locks"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
)

// Config is the file of the repository's own configuration, which its worktrees
// share. It is safe for concurrent use.
type Config struct {
	git         *gitcmd.Runner
	path, cache string
}

// Config returns the repository's own configuration. It costs nothing.
func (c Clone) Config() Config {
	return Config{c.Git, filepath.Join(c.CommonDir, "config"), filepath.Join(c.CommonDir, "cortex")}
}

// maxTries bounds how often a write is tried that somebody else is in the way of.
const maxTries = 20

// lockedConfig is the content of git's lock on the file while cortex holds it.
const lockedConfig = "# locked by cortex\n"

// Read returns the bytes of the file.
func (c Config) Read() ([]byte, error) { return os.ReadFile(c.path) }

// Edit gives each key its value, as [Config.Edited] does, all or none.
func (c Config) Edit(ctx context.Context, edits ...gitcmd.Setting) error {
	for try := 0; len(edits) > 0; try++ {
		before, err := c.Read()
		if err != nil {
			return fmt.Errorf("reading git's configuration: %w", err)
		}
		after, _, err := c.Edited(ctx, before, edits...)
		if err != nil {
			return err
		}
		if err := c.Replace(ctx, before, after); !errors.Is(err, ErrConfigChanged) || try == maxTries {
			return err
		}
	}
	return nil
}

// Edited returns what git makes of data, a configuration file, when each key is
// given its one value; "" removes it. A section that becomes empty goes too. Was
// holds the values of cortex in data.
func (c Config) Edited(ctx context.Context, data []byte, edits ...gitcmd.Setting) (after []byte, was *gitcmd.Config,
	err error,
) {
	if after, ok := appended(data, edits); ok && c.says(ctx, after, edits) {
		return after, new(gitcmd.Config), nil
	}
	name, err := c.copied(ended(data))
	if err != nil {
		return nil, nil, err
	}
	defer os.Remove(name)
	if was, err = c.git.Config(ctx, "--file", name); err != nil {
		return nil, nil, err
	}
	edits = lists.Without(edits, func(e gitcmd.Setting) bool { return was.Value(e.Key) == e.Value })
	if len(edits) == 0 {
		return data, was, nil
	}
	for _, e := range edits {
		if err := c.set(ctx, name, e); err != nil {
			return nil, nil, err
		}
	}
	after, err = os.ReadFile(name)
	return after, was, err
}

// set has git edit one key of a configuration file.
func (c Config) set(ctx context.Context, file string, e gitcmd.Setting) error {
	args := []string{"config", "--file", file, "--replace-all", e.Key, e.Value}
	if e.Value == "" {
		args = []string{"config", "--file", file, "--unset-all", e.Key}
	}
	_, err := c.git.Run(ctx, gitcmd.Command{Args: args})
	if err != nil && gitcmd.ExitCode(err) != 5 { // 5: not set
		return fmt.Errorf("setting %s: %w", e.Key, err)
	}
	return nil
}

// inForce is the configuration that is given, or else read now.
func inForce(ctx context.Context, git *gitcmd.Runner, given *gitcmd.Config) (*gitcmd.Config, error) {
	if given != nil {
		return given, nil
	}
	return git.Config(ctx)
}

// copied returns the path of a file with data, for us alone: it may hold passwords.
func (c Config) copied(data []byte) (string, error) {
	if err := os.MkdirAll(c.cache, 0o777); err != nil {
		return "", err
	}
	f, err := os.CreateTemp(c.cache, "cortex-*.tmp")
	if err != nil {
		return "", err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Close()); err != nil {
		os.Remove(f.Name())
	}
	return f.Name(), err
}

// ErrConfigChanged says that the configuration is not what it was.
var ErrConfigChanged = errors.New("git's configuration was changed meanwhile")

// Replace makes after the content of the file, if it is before: else the error is
// [ErrConfigChanged]. It waits for a git that is writing the file.
func (c Config) Replace(ctx context.Context, before, after []byte) error {
	lock := physical(c.path) + ".lock"
	if left, _ := os.ReadFile(lock); bytes.Equal(before, after) && string(left) != lockedConfig {
		return nil // else a cortex was killed before it changed anything, and its lock goes
	}
	unlock, err := locks.File(ctx, filepath.Join(c.cache, "config.lock"), 5*time.Second)
	if err != nil {
		return fmt.Errorf("locking git's configuration: %w", err)
	}
	defer unlock()
	path := physical(c.path)
	if err := c.lock(ctx, lock); err != nil {
		return fmt.Errorf("locking git's configuration: %w", err)
	}
	defer os.Remove(lock)
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, before) {
		return errors.Join(ErrConfigChanged, err)
	}
	return atomicfile.WritePath(path, after, atomicfile.Options{})
}

// lock takes git's own lock on the file. The caller holds ours, so a lock that
// cortex has written was left behind when it was killed.
func (c Config) lock(ctx context.Context, lock string) error {
	var err error
	for try := 0; try <= maxTries && ctx.Err() == nil; try++ {
		err = atomicfile.WritePath(lock, []byte(lockedConfig), atomicfile.Options{New: true, NoSync: true})
		if !errors.Is(err, fs.ErrExist) {
			return err
		}
		if left, _ := os.ReadFile(lock); string(left) == lockedConfig {
			_ = os.Remove(lock)
			continue
		}
		locks.Pause(ctx, time.Duration(1+try)*5*time.Millisecond)
	}
	return errors.Join(err, ctx.Err())
}

// readFile returns the content of a file, nothing if it is not there.
func readFile(path string) ([]byte, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}
