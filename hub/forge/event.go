package forge

import (
	"cmp"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/hub"
)

// MaxBody is how large the body of a webhook may be: GitHub caps its own at 25 MB
// (docs.github.com, "Webhook events and payloads").
const MaxBody = 25 << 20

// ErrIgnored is an event that was signed, and speaks of nothing that changes a default branch
// or a repository.
var ErrIgnored = errors.New("the event is about no push")

// events say how a forge signs its webhooks, and which repository one speaks of. A signature
// covers no time with most forges, so an event may come again at any time: it only says where
// to look, and looking twice does no harm.
type events struct {
	kind   string   // the header that names the event; "" where all count
	kinds  []string // those that count
	signed func(header func(string) string, body, secret []byte) bool
	about  func(body []byte) (hub.RepoRef, error)
}

// check verifies the signature before it reads anything of the body.
func (e events) check(header func(string) string, body, secret []byte) (hub.RepoRef, error) {
	if !e.isOurs(header, body, secret) {
		return hub.RepoRef{}, hub.ErrForged
	}
	if !e.counts(header) {
		return hub.RepoRef{}, fmt.Errorf("%w: it is %q", ErrIgnored, header(e.kind))
	}
	ref, err := e.about(body)
	if err != nil {
		return hub.RepoRef{}, fmt.Errorf("reading the event: %w", err)
	}
	if ref == (hub.RepoRef{}) {
		return hub.RepoRef{}, fmt.Errorf("%w: it names no repository", ErrIgnored)
	}
	return ref, nil
}

// isOurs reports whether the signature is that of the secret. Without a secret none is.
func (e events) isOurs(header func(string) string, body, secret []byte) bool {
	return len(secret) > 0 && len(body) <= MaxBody && e.signed(header, body, secret)
}

// counts reports whether an event is of a kind that may change a default branch.
func (e events) counts(header func(string) string) bool {
	return e.kind == "" || slices.Contains(e.kinds, header(e.kind))
}

// sum is the HMAC-SHA256 of some parts.
func sum(secret []byte, parts ...[]byte) []byte {
	mac := hmac.New(sha256.New, secret)
	for _, p := range parts {
		mac.Write(p)
	}
	return mac.Sum(nil)
}

// isHex reports, in constant time, whether text is a sum in hexadecimal.
func isHex(text string, sum []byte) bool {
	got, err := hex.DecodeString(text)
	return err == nil && hmac.Equal(got, sum)
}

// isPrefixedHex reports whether text is "sha256=" and the sum of the body.
func isPrefixedHex(text string, body, secret []byte) bool {
	digits, ok := strings.CutPrefix(text, "sha256=")
	return ok && isHex(digits, sum(secret, body))
}

// aboutRepository reads the repository of an event of GitHub, Gitea, and what a hook of
// plain git sends.
func aboutRepository(body []byte) (hub.RepoRef, error) {
	var p struct {
		Repository struct {
			ID       json.Number `json:"id"`
			FullName string      `json:"full_name"`
			Name     string      `json:"name"`
		} `json:"repository"`
	}
	err := json.Unmarshal(body, &p)
	name := p.Repository.FullName
	name = cmp.Or(name, p.Repository.Name)
	return hub.RepoRef{ID: p.Repository.ID.String(), Name: name}, err
}

// parseRepositories reads a list of GitHub or Gitea. One that the caller may not pull, or of
// which that is not said, does not count.
func parseRepositories(body []byte) (page, error) {
	type listed struct {
		ID          json.Number `json:"id"`
		FullName    string      `json:"full_name"`
		Permissions struct {
			Pull bool `json:"pull"`
		} `json:"permissions"`
	}
	var list []listed
	err := decode(body, &list)
	return pageOf(list, func(r listed) (repository, bool) {
		return repository{r.ID.String(), r.FullName}, r.Permissions.Pull
	}), err
}

// one is the list of a forge that has a single one for each caller.
func one(path string) []string { return []string{path} }
