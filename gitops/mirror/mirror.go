// Package mirror keeps bare copies of the default branches of many repositories, to read the
// memories in them.
//
// [Open] a folder, [Mirror.Add] a repository by its address, then [Mirror.Fetch] it:
// [Mirror.Changes] tells which memory files differ between two of its commits, and
// [Mirror.Read] returns what is in them. When these were taken in, [Mirror.MoveLast] keeps
// the commit, so that a force push never loses the tree that the next comparison starts from.
//
// Only the default branch is fetched: no other branch, no tag, no journal. Blobs are left at
// the remote until they are read, where the remote can do that. Repositories are untrusted:
// git runs without hooks, submodules, redirects and the settings of the user, within a time
// and a size, and talks to nothing but the address that was added.
//
// A failure of git or of the network is an error and never a state: see [ErrGone] and those
// beside it. A process that is killed at any moment leaves a mirror that the next fetch heals.
package mirror

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/locks"
	"github.com/git-cortex/cortex/internal/atomicfile"
)

// Bounds of one repository.
const (
	MaxMemories = 20_000   // files of one commit that count, the first by path
	MaxBytes    = 64 << 10 // of one file; a larger one is returned without its data
)

// Options say how git is run. The zero value is right for a server.
type Options struct {
	Git     string   // the binary; "" is the first in the PATH of Environ
	Environ []string // as os.Environ returns; little of it reaches git
	// Protocols are those that git may speak: nil is https and ssh.
	Protocols []string
	// Credential returns what the hub itself presents at an address; nil is nothing.
	Credential func(url string) Credential
	Time       time.Duration // of one call that uses the network; 0 is ten minutes
	Size       int64         // in bytes, of what one fetch may bring; 0 is 2 GB
}

// Mirror is a folder of bare mirrors. It is safe for concurrent use, also by several
// processes: each repository is written by one at a time.
type Mirror struct {
	dir string
	opt Options
	env []string // of every git, before what a call adds
	git *gitcmd.Runner
}

// oldestMinor is the minor version of the git 2 from which on settings can be passed in the
// environment, where no other user of the machine sees them.
const oldestMinor = 31

// Open opens a folder of mirrors, and makes it if it is not there.
func Open(ctx context.Context, dir string, o Options) (*Mirror, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("opening the mirrors: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("opening the mirrors: %w", err)
	}
	binary, err := gitcmd.Find(o.Environ, o.Git)
	if err != nil {
		return nil, fmt.Errorf("opening the mirrors: %w", err)
	}
	if o.Protocols == nil {
		o.Protocols = []string{"https", "ssh"}
	}
	o.Time = cmp.Or(o.Time, 10*time.Minute)
	o.Size = cmp.Or(o.Size, 2<<30)
	m := &Mirror{dir: dir, opt: o, env: environ(o.Environ, dir)}
	m.git = &gitcmd.Runner{Binary: binary, Dir: dir, Env: gitcmd.Env(m.env, false), Environ: m.env}
	version, err := m.git.Version(ctx)
	if err != nil {
		return nil, fmt.Errorf("opening the mirrors: %w", err)
	}
	if !version.AtLeast(2, oldestMinor) {
		return nil, fmt.Errorf("opening the mirrors: git %s is too old: it takes git 2.%d or later",
			version.Text, oldestMinor)
	}
	return m, nil
}

// urlFile is where a mirror keeps the address that it is fetched from.
const urlFile = "hub-url"

// Key is the name of the mirror of an address.
func Key(url string) string {
	sum := sha256.Sum256([]byte(url))
	return hex.EncodeToString(sum[:10])
}

// Add makes an empty mirror of an address, unless there is one, and returns its key. The
// network is not used. An address must be a URL with a protocol that the options allow,
// and without a password.
func (m *Mirror) Add(ctx context.Context, url string) (repo string, err error) {
	if err := m.check(url, m.opt.Protocols); err != nil {
		return "", err
	}
	repo = Key(url)
	unlock, err := m.lock(ctx, repo)
	if err != nil {
		return "", err
	}
	defer unlock()
	if gitcmd.Exists(m.path(repo)) {
		return repo, nil
	}
	if err := m.create(ctx, repo, url); err != nil {
		return "", fmt.Errorf("making the mirror of %s: %w", url, err)
	}
	return repo, nil
}

// create makes a mirror beside its place and moves it there: it is whole or not there.
func (m *Mirror) create(ctx context.Context, repo, url string, options ...string) error {
	made := filepath.Join(m.dir, "new-"+repo)
	if err := os.RemoveAll(made); err != nil {
		return err
	}
	args := append([]string{"init", "--quiet", "--bare", "--template="}, append(options, made)...)
	if _, err := m.git.Run(ctx, gitcmd.Command{Args: args}); err != nil {
		return err
	}
	if err := atomicfile.WritePath(filepath.Join(made, urlFile), []byte(url), atomicfile.Options{}); err != nil {
		return err
	}
	return atomicfile.Rename(made, m.path(repo))
}

// URL is the address of a mirror.
func (m *Mirror) URL(repo string) (string, error) {
	if !isKey(repo) {
		return "", fmt.Errorf("%q is the key of no mirror", repo)
	}
	url, err := os.ReadFile(filepath.Join(m.path(repo), urlFile))
	if err != nil {
		return "", fmt.Errorf("reading the address of mirror %s: %w: %w", repo, ErrDamaged, err)
	}
	return string(url), nil
}

// Remove deletes a mirror with all that was fetched. One that is not there is none.
func (m *Mirror) Remove(ctx context.Context, repo string) error {
	unlock, err := m.lock(ctx, repo)
	if err != nil {
		return err
	}
	defer unlock()
	away := filepath.Join(m.dir, "old-"+repo)
	if err := os.RemoveAll(away); err != nil {
		return fmt.Errorf("removing mirror %s: %w", repo, err)
	}
	if err := atomicfile.Rename(m.path(repo), away); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing mirror %s: %w", repo, err)
	}
	return os.RemoveAll(away)
}

func (m *Mirror) path(repo string) string { return filepath.Join(m.dir, repo+".git") }

// isKey reports whether a string is one that [Key] returns: it becomes part of a path.
func isKey(repo string) bool {
	return len(repo) == 20 && strings.Trim(repo, "0123456789abcdef") == ""
}

// open takes the lock of a mirror that must be there.
func (m *Mirror) open(ctx context.Context, repo string) (unlock func(), err error) {
	unlock, err = m.lock(ctx, repo)
	if err == nil && !gitcmd.Exists(m.path(repo)) {
		unlock()
		return nil, fmt.Errorf("opening mirror %s: %w: it is not there", repo, ErrDamaged)
	}
	return unlock, err
}

// lock waits until nobody else writes a mirror.
func (m *Mirror) lock(ctx context.Context, repo string) (unlock func(), err error) {
	if !isKey(repo) {
		return nil, fmt.Errorf("%q is the key of no mirror", repo)
	}
	unlock, err = locks.File(ctx, filepath.Join(m.dir, repo+".lock"), 0)
	if err != nil {
		return nil, fmt.Errorf("waiting for mirror %s: %w", repo, err)
	}
	return unlock, nil
}

// in is git in one mirror, without the network.
func (m *Mirror) in(repo string) *gitcmd.Runner {
	g := *m.git
	g.Dir = m.path(repo)
	return &g
}
