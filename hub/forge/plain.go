package forge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/git-cortex/cortex/gitops/mirror"
	"github.com/git-cortex/cortex/hub"
)

// Remote asks an address for its default branch with nothing but a credential: [mirror.Mirror].
type Remote interface {
	LsRemote(ctx context.Context, url string, c mirror.Credential) (mirror.Tip, error)
}

// Plain is any server of git. It has no list: each repository is asked, with the caller's own
// name and password, whether it lets the caller read.
type Plain struct {
	name   string
	remote Remote
}

// NewPlain makes a forge of servers that speak git alone. An event is what a post-receive hook
// sends: {"repository": {"name": "…"}}, with "sha256=" and the HMAC of the body in hexadecimal
// as X-Cortex-Signature, or as X-SoftServe-Signature from Soft Serve (its docs, "Webhooks").
func NewPlain(name string, remote Remote) *Plain { return &Plain{name: name, remote: remote} }

// atOnce is how many repositories are asked at the same time.
const atOnce = 8

// Readable is [hub.Forge]. One repository that cannot be asked makes the whole an error: what
// the caller may read is not known.
func (p *Plain) Readable(ctx context.Context, cred hub.Credentials, ask []hub.RepoRef) ([]hub.RepoRef, string, error) {
	verdicts := make([]error, len(ask))
	asking, ctx := errgroup.WithContext(ctx)
	asking.SetLimit(atOnce)
	for i, ref := range ask {
		if ref.Forge != p.name {
			verdicts[i] = mirror.ErrGone
			continue
		}
		asking.Go(func() error {
			_, err := p.remote.LsRemote(ctx, ref.URL, mirror.Credential{User: cred.User, Secret: cred.Secret})
			verdicts[i] = err
			if !isVerdict(err) {
				return fmt.Errorf("asking %s for %s: %w: %w", p.name, ref.Name, ErrUnavailable, err)
			}
			return nil
		})
	}
	if err := asking.Wait(); err != nil {
		return nil, "", err
	}
	var granted []hub.RepoRef
	unknown := false
	for i, ref := range ask {
		unknown = unknown || errors.Is(verdicts[i], mirror.ErrUnknownUser)
		if mayRead(verdicts[i]) {
			granted = append(granted, ref)
		}
	}
	if unknown && len(granted) == 0 {
		return nil, "", fmt.Errorf("asking %s what a caller may read: %w", p.name, hub.ErrDenied)
	}
	return granted, "", nil
}

// mayRead reports whether a server answered. An empty repository did.
func mayRead(err error) bool { return err == nil || errors.Is(err, mirror.ErrEmpty) }

// isVerdict reports whether a server let the caller read or refused to. A repository that is not
// there, or is somewhere else now, is one that nobody reads at this address.
func isVerdict(err error) bool {
	refusals := []error{mirror.ErrDenied, mirror.ErrGone, mirror.ErrMoved, mirror.ErrAddress}
	return mayRead(err) || slices.ContainsFunc(refusals, func(no error) bool { return errors.Is(err, no) })
}

// Event is [hub.Forge].
func (p *Plain) Event(header func(string) string, body, secret []byte) (hub.RepoRef, error) {
	ref, err := events{about: aboutPlain, signed: isSignedByHook}.check(header, body, secret)
	ref.Forge = p.name
	return ref, err
}

// aboutPlain takes the name alone: an id of one server is none of another.
func aboutPlain(body []byte) (hub.RepoRef, error) {
	ref, err := aboutRepository(body)
	return hub.RepoRef{Name: ref.Name}, err
}

func isSignedByHook(header func(string) string, body, secret []byte) bool {
	return isPrefixedHex(cmp.Or(header("X-Cortex-Signature"), header("X-SoftServe-Signature")), body, secret)
}
