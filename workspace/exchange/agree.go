package exchange

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/workspace"
)

// What a session teaches may be meant for one clone alone. So nothing goes to a remote
// for the first time before a person has seen how much and to where. That is noted in the
// cortex folder of the clone; without the note they are asked once more.

// Publication is the error of an exchange that would send to a remote for the first
// time, and nobody has agreed to it.
type Publication struct {
	Remote  string
	Address string // without what opens it; all of them, if it has several
	Sent    Tally
}

func (e *Publication) Error() string {
	return fmt.Sprintf("nothing was ever sent to %s (%s), and nobody has agreed to send %s there", e.Remote,
		e.Address, e.Sent.count())
}

// count says how much goes out, of all kinds.
func (t *Tally) count() string {
	parts := []string{t.words()}
	for _, kind := range []struct {
		n         int
		one, many string
	}{{t.Sessions, "session record", "session records"}, {t.Other, "counter or dismissal", "counters and dismissals"}} {
		if word := kind.many; kind.n > 0 {
			if kind.n == 1 {
				word = kind.one
			}
			parts = append(parts, fmt.Sprintf("%d %s", kind.n, word))
		}
	}
	return strings.Join(parts, ", ")
}

// agreedFile has a line for each remote and address that a person agreed to.
const agreedFile = "published"

// Unagreed returns the remotes of a clone to which nobody has agreed to send.
func Unagreed(ctx context.Context, w *workspace.Workspace) []string {
	names, err := w.Repo.Remotes().Names(ctx)
	if err != nil {
		return nil
	}
	data, _ := os.ReadFile(filepath.Join(w.Repo.CacheDir(), agreedFile)) // none: nobody has
	var out []string
	for _, remote := range names {
		addresses, err := w.Repo.Remotes().Addresses(ctx, remote)
		if err == nil && !slices.Contains(strings.Fields(string(data)), markOf(remote, addresses)) {
			out = append(out, remote)
		}
	}
	return out
}

// markOf is the line of [agreedFile] for a remote.
func markOf(remote string, addresses []string) string {
	sum := sha256.Sum256([]byte(remote + "\x00" + strings.Join(addresses, "\n")))
	return hex.EncodeToString(sum[:])
}

// permit makes sure that a person agrees to what is about to be sent. Of a dry run it
// says that they would be asked. What an agent says is no agreement.
func (x *run) permit(ctx context.Context) error {
	addresses, err := x.w.Repo.Remotes().Addresses(ctx, x.out.Remote)
	if err != nil {
		return err
	}
	mark := markOf(x.out.Remote, addresses)
	file := filepath.Join(x.w.Repo.CacheDir(), agreedFile)
	data, _ := os.ReadFile(file) // if it cannot be read, they are asked
	if slices.Contains(strings.Fields(string(data)), mark) {
		return nil
	}
	for i := range addresses {
		addresses[i] = withoutPassword(addresses[i])
	}
	asks := &Publication{Remote: x.out.Remote, Address: strings.Join(addresses, ", "), Sent: x.out.Sent}
	agreed := x.in.Agreed && !x.w.ByAgent()
	if x.in.DryRun {
		if !agreed {
			x.out.Asks = strings.TrimPrefix(x.out.Asks+"; "+asks.Error(), "; ")
		}
		return nil
	}
	if !agreed && !x.agrees(asks) {
		return asks
	}
	x.in.Agreed = true // also if another clone is faster
	err = atomicfile.WritePath(file, append(data, mark+"\n"...), atomicfile.Options{})
	if err != nil {
		return fmt.Errorf("noting that %s may be sent to: %w", x.out.Remote, err)
	}
	return nil
}

// agrees asks a person, if there is one.
func (x *run) agrees(asks *Publication) bool {
	return !x.w.ByAgent() && x.in.Publish != nil && x.in.Publish(asks)
}

// withoutPassword is an address as it may be shown. Over HTTP a token is often given as
// the user, so that no user is shown there.
func withoutPassword(address string) string {
	scheme, rest, ok := strings.Cut(address, "://")
	host, _, _ := strings.Cut(rest, "/")
	at := strings.LastIndexByte(host, '@')
	if !ok || at < 0 {
		return address
	}
	shown := ""
	if strings.HasSuffix(scheme, "ssh") {
		user, _, _ := strings.Cut(host[:at], ":")
		shown = user + "@"
	}
	return scheme + "://" + shown + rest[at+1:]
}
