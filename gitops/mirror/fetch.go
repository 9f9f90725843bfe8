package mirror

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/internal/gitcmd"
	"github.com/git-cortex/cortex/gitops/internal/gitobject"
	"github.com/git-cortex/cortex/gitops/internal/locks"
)

// Refs of a mirror.
const (
	tipRef  = "refs/hub/tip"  // what was fetched last
	lastRef = "refs/hub/last" // what [Mirror.MoveLast] keeps
	heldRef = "refs/hub/held" // what [Mirror.Hold] keeps
)

// Tip is the default branch of a repository and the commit that it is at.
type Tip struct {
	Ref string // "refs/heads/main"
	OID string
}

// LsRemote asks an address for its default branch, in the name of a caller: nothing is
// presented but the credential, so an answer means that the caller may read. An address of ssh
// is refused with [ErrAddress], for it would be asked with the keys of the server's own user.
func (m *Mirror) LsRemote(ctx context.Context, address string, c Credential) (Tip, error) {
	protocols := withoutKeys(m.opt.Protocols)
	if err := m.check(address, protocols); err != nil {
		return Tip{}, err
	}
	return m.lsRemote(ctx, address, network(address, c, protocols))
}

// own lets the hub itself use the network, with more settings.
func (m *Mirror) own(address string, more ...[2]string) gitcmd.Network {
	var c Credential
	if m.opt.Credential != nil {
		c = m.opt.Credential(address)
	}
	return network(address, c, m.opt.Protocols, more...)
}

func (m *Mirror) lsRemote(ctx context.Context, address string, n gitcmd.Network) (Tip, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, m.opt.Time, errSlow)
	defer cancel()
	doing := "asking " + address + " for its default branch"
	out, failed := m.git.Online(ctx, address, n, []string{"ls-remote", "--symref", "--", address, "HEAD"})
	if failed != nil {
		return Tip{}, remoteError(ctx, doing, failed)
	}
	tip, err := parseHead(string(out))
	if err != nil {
		return Tip{}, fmt.Errorf("%s: %w", doing, err)
	}
	return tip, nil
}

// parseHead reads "ref: refs/heads/main\tHEAD\n<oid>\tHEAD\n".
func parseHead(out string) (Tip, error) {
	var tip Tip
	for line := range strings.Lines(out) {
		value, name, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if name != "HEAD" {
			continue
		}
		if ref, ok := strings.CutPrefix(value, "ref: "); ok {
			tip.Ref = ref
		} else {
			tip.OID = value
		}
	}
	if tip.OID == "" {
		return Tip{}, ErrEmpty
	}
	if !strings.HasPrefix(tip.Ref, "refs/heads/") {
		return Tip{}, fmt.Errorf("%w: HEAD is %q", ErrEmpty, tip.Ref)
	}
	if !gitobject.IsID(tip.OID) {
		return Tip{}, fmt.Errorf("%q is no object id", tip.OID)
	}
	return tip, nil
}

// Fetch brings the default branch of a repository up to date and returns where it is. On an
// error the mirror is as it was. It heals what a killed fetch left.
func (m *Mirror) Fetch(ctx context.Context, repo string) (Tip, error) {
	address, err := m.URL(repo)
	if err != nil {
		return Tip{}, err
	}
	unlock, err := m.open(ctx, repo)
	if err != nil {
		return Tip{}, err
	}
	defer unlock()
	m.heal(ctx, repo)
	n := m.own(address)
	tip, err := m.lsRemote(ctx, address, n)
	if err != nil {
		return Tip{}, err
	}
	at, err := m.ref(ctx, repo, tipRef)
	if err == nil && at == "" {
		err = m.format(ctx, repo, address, tip)
	}
	if err != nil || at == tip.OID {
		return tip, err
	}
	if _, err := m.ref(ctx, repo, lastRef); err != nil {
		return Tip{}, err
	}
	if err := m.fetchBranch(ctx, repo, tip.Ref, n); err != nil {
		return Tip{}, err
	}
	tip.OID, err = m.ref(ctx, repo, tipRef) // the branch may have moved on since it was asked for
	if err == nil && tip.OID == "" {
		err = fmt.Errorf("fetching %s: %w: nothing came", address, ErrDamaged)
	}
	if err == nil {
		m.tidy(ctx, repo)
	}
	return tip, err
}

// format makes a mirror that holds nothing anew where its objects are to have names of another length: those of
// sha256.
func (m *Mirror) format(ctx context.Context, repo, address string, tip Tip) error {
	out, err := m.in(repo).Run(ctx, gitcmd.Command{Args: []string{"rev-parse", "--show-object-format"}})
	if err != nil {
		return localError(ctx, "reading the format of mirror "+repo, err)
	}
	wanted := formatOf(tip.OID)
	if strings.TrimSpace(string(out)) == wanted {
		return nil
	}
	if err := os.RemoveAll(m.path(repo)); err != nil {
		return fmt.Errorf("making mirror %s anew: %w", repo, err)
	}
	return m.create(ctx, repo, address, "--object-format="+wanted)
}

// formatOf is the object format in which a commit has its name.
func formatOf(oid string) string {
	if len(oid) == sha256.Size*2 {
		return "sha256"
	}
	return "sha1"
}

// fetchBranch fetches one branch without its blobs, or with them from a remote that leaves
// nothing out. One that does not know filters sends them by itself.
func (m *Mirror) fetchBranch(ctx context.Context, repo, ref string, n gitcmd.Network) error {
	spec := "+" + ref + ":" + tipRef
	err := m.online(ctx, repo, n, "--filter=blob:none", remote, spec)
	if hasSaid(err, "cannot lock ref") {
		// The git of a process that was killed came to its end meanwhile and moved the ref.
		err = m.online(ctx, repo, n, "--filter=blob:none", remote, spec)
	}
	if hasSaid(err, "filter") {
		return m.online(ctx, repo, n, "--no-filter", remote, spec)
	}
	return err
}

// hasSaid reports whether a git that failed said some words.
func hasSaid(err error, words string) bool {
	var failed *gitcmd.RemoteError
	return errors.As(err, &failed) && strings.Contains(strings.Join(failed.Said, "\n"), words)
}

// errSlow is the cause of a call that was ended for taking too long.
var errSlow = fmt.Errorf("%w within the time that a call may take", ErrUnreachable)

// online runs one git fetch in a mirror, within the time and the size.
func (m *Mirror) online(ctx context.Context, repo string, n gitcmd.Network, args ...string) error {
	ctx, cancel := context.WithTimeoutCause(ctx, m.opt.Time, errSlow)
	defer cancel()
	sized, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	go m.watch(sized, repo, stop)
	args = append([]string{
		"fetch", "--quiet", "--no-tags", "--no-recurse-submodules", "--no-auto-gc", "--no-write-fetch-head",
	}, args...)
	_, failed := m.in(repo).Online(sized, remote, n, args)
	if failed != nil {
		return remoteError(sized, "fetching mirror "+repo, failed)
	}
	return nil
}

// watch ends a fetch that brings too much: git itself knows no bound.
func (m *Mirror) watch(ctx context.Context, repo string, stop context.CancelCauseFunc) {
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if size(m.coming(repo)) > m.opt.Size {
				stop(ErrTooLarge)
			}
		}
	}
}

// coming are the files that a running fetch writes, or that a killed one left.
func (m *Mirror) coming(repo string) []string {
	names, _ := filepath.Glob(filepath.Join(m.path(repo), "objects", "pack", "tmp_*"))
	return names
}

func size(names []string) int64 {
	var sum int64
	for _, name := range names {
		if info, err := os.Stat(name); err == nil {
			sum += info.Size()
		}
	}
	return sum
}

// patience is how long a fetch waits for what a killed git holds: a lock counts as left behind
// when it is ten seconds old and no process has it open.
const patience = 15 * time.Second

// heal takes away what a git left that was killed here: lock files, and parts of packs.
func (m *Mirror) heal(ctx context.Context, repo string) {
	for _, pattern := range []string{"*.lock", "refs/hub/*.lock", "objects/pack/*.lock"} {
		names, _ := filepath.Glob(filepath.Join(m.path(repo), filepath.FromSlash(pattern)))
		for _, name := range names {
			locks.At(name, m.dir).Wait(ctx, patience)
		}
	}
	for _, name := range m.coming(repo) {
		_ = os.Remove(name) // one that stays only takes room
	}
}

// MoveLast keeps a commit with all of its tree, whatever the remote does.
func (m *Mirror) MoveLast(ctx context.Context, repo, oid string) error {
	return m.move(ctx, repo, oid, "update-ref", lastRef, oid)
}

// Hold keeps one commit more, in place of the one that it kept before. An oid of "" is none.
func (m *Mirror) Hold(ctx context.Context, repo, oid string) error {
	if oid == "" {
		return m.move(ctx, repo, "", "update-ref", "-d", heldRef)
	}
	return m.move(ctx, repo, oid, "update-ref", heldRef, oid)
}

// move runs a git that moves a ref of ours to a commit, or removes it.
func (m *Mirror) move(ctx context.Context, repo, oid string, args ...string) error {
	if oid != "" && !gitobject.IsID(oid) {
		return fmt.Errorf("keeping a commit of mirror %s: %q is no object id", repo, oid)
	}
	unlock, err := m.open(ctx, repo)
	if err != nil {
		return err
	}
	defer unlock()
	env := settingsEnv([][2]string{{"core.fsync", "all"}, {"core.hooksPath", os.DevNull}})
	if _, err := m.in(repo).Run(ctx, gitcmd.Command{Args: args, Env: env}); err != nil {
		return localError(ctx, "keeping a commit of mirror "+repo, err)
	}
	return nil
}

// ref is the commit that a ref of ours is at; "" when it is not there. A commit that cannot be
// read is an error: git would look for it at the remote, again and again.
func (m *Mirror) ref(ctx context.Context, repo, name string) (string, error) {
	args := []string{"for-each-ref", "--format=%(objectname) %(tree)", name} // the tree is in the commit
	out, err := m.in(repo).Run(ctx, gitcmd.Command{Args: args})
	if err != nil {
		return "", localError(ctx, "reading "+name+" of mirror "+repo, err)
	}
	oid, _, _ := strings.Cut(string(out), " ")
	return oid, nil
}
