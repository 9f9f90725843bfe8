package hub

import (
	"context"
	"errors"
	"fmt"

	"github.com/git-cortex/cortex/gitops/mirror"
)

// Mirrored is the [Mirror] of a folder of bare mirrors.
type Mirrored struct{ *mirror.Mirror }

// Fetch makes the mirror where there is none, and brings it up to date.
func (m Mirrored) Fetch(ctx context.Context, url string) (ref, oid string, err error) {
	repo, err := m.Add(ctx, url)
	if err != nil {
		return "", "", err
	}
	tip, err := m.Mirror.Fetch(ctx, repo)
	if errors.Is(err, mirror.ErrGone) {
		return "", "", fmt.Errorf("%w: %w", ErrGone, err)
	}
	return tip.Ref, tip.OID, m.anew(ctx, repo, err)
}

// anew removes a mirror that an error says is damaged, and returns the error: the next fetch makes
// it again.
func (m Mirrored) anew(ctx context.Context, repo string, err error) error {
	if errors.Is(err, mirror.ErrDamaged) {
		return errors.Join(err, m.Remove(ctx, repo))
	}
	return err
}

// Changes compares two commits.
func (m Mirrored) Changes(ctx context.Context, url, from, to string) ([]Change, bool, error) {
	changes, err := m.Mirror.Changes(ctx, mirror.Key(url), from, to)
	if err != nil {
		return nil, false, m.anew(ctx, mirror.Key(url), err)
	}
	out := make([]Change, len(changes.Files))
	for i, c := range changes.Files {
		out[i] = Change{Path: c.Path, Blob: c.New}
	}
	return out, changes.Full, nil
}

// Read reads blobs. One that is too large is handed over as it would be if it were empty: it is no memory.
func (m Mirrored) Read(ctx context.Context, url string, blobs []string, yield func(string, []byte) error) error {
	repo := mirror.Key(url)
	err := m.Mirror.Read(ctx, repo, blobs, func(b mirror.Blob) error { return yield(b.OID, b.Data) })
	return m.anew(ctx, repo, err)
}

// Hold keeps another commit.
func (m Mirrored) Hold(ctx context.Context, url, oid string) error {
	return m.Mirror.Hold(ctx, mirror.Key(url), oid)
}

// Drop removes the mirror.
func (m Mirrored) Drop(ctx context.Context, url string) error { return m.Remove(ctx, mirror.Key(url)) }

// Authors are those who committed memory files, up to a commit.
func (m Mirrored) Authors(ctx context.Context, url, oid string) (map[string][]string, error) {
	authors, err := m.Mirror.Authors(ctx, mirror.Key(url), oid)
	return authors, m.anew(ctx, mirror.Key(url), err)
}

// Held are those of some blobs that the mirror has.
func (m Mirrored) Held(ctx context.Context, url string, blobs []string) ([]string, error) {
	return m.Mirror.Held(ctx, mirror.Key(url), blobs)
}

// Keep keeps a commit.
func (m Mirrored) Keep(ctx context.Context, url, oid string) error {
	return m.MoveLast(ctx, mirror.Key(url), oid)
}
