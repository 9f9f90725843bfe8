// Package hub searches the memories of many repositories, for callers who may read some of them.
//
// Its repositories are bare mirrors of gitops/mirror, which a worker brings up to date. A caller is
// answered from the repositories that [Forge.Readable] grants them, and from nothing else.
// Git is the store: whatever the hub keeps can be deleted and is made again from the repositories.
//
// What the package promises:
//   - An answer depends on the granted repositories and the query alone. What a caller may not read
//     counts in no figure of it, and is told apart from what is not there by nothing.
//   - An error of git or of a forge is never a state: the last one is kept, called stale, and tried
//     again later.
//   - It knows neither HTTP nor the clock of the machine: both are handed in.
package hub

import (
	"context"
	"errors"
)

// RepoRef names a repository at a forge.
type RepoRef struct {
	Forge string `json:"forge"`        // the instance, as the settings of the hub call it
	ID    string `json:"id,omitempty"` // what the forge itself calls it, which a rename keeps; "" if not known
	Name  string `json:"name"`         // its path at the forge: "acme/web"
	URL   string `json:"url"`          // where git fetches it
}

// Credentials are those of a caller. They live for one request and are written nowhere.
type Credentials struct {
	User   string // "" where the secret alone says who calls
	Secret string // a token or password
}

// String hides the secret from logs and messages.
func (c Credentials) String() string { return c.User + ":…" }

// ErrDenied says that a forge does not accept the caller's credentials (401 or 403).
var ErrDenied = errors.New("the forge does not accept these credentials")

// ErrForged says that an event was not signed with the secret of this hub, or that no secret is set.
var ErrForged = errors.New("the signature of the event is not that of the hub's secret")

// Forge is where repositories are kept, and who may read them is decided.
type Forge interface {
	// Readable returns those of ask that the caller may read. An error is never "none": it is
	// [ErrDenied] where the forge refused the credentials, and anything else where it was not
	// reached. The etag may be "".
	Readable(ctx context.Context, cred Credentials, ask []RepoRef) (granted []RepoRef, etag string, err error)
	// Event checks the signature of a webhook and returns the repository that it speaks of, by ID
	// or Name or URL, whichever it names. Nothing else of the body is believed. The header is
	// [net/http.Header.Get] of the request.
	Event(header func(name string) string, body, secret []byte) (RepoRef, error)
}
