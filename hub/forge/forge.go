// Package forge asks the forges who may read what, and checks the webhooks that they send.
//
// [GitHub], [GitLab], [Gitea] and [Bitbucket] ask the API of a forge, with the token of the
// caller, for the repositories that the caller may read; [NewPlain] asks git itself, with the
// caller's name and password, for each repository that matters. All of them are a [hub.Forge].
// Wrap one in [NewCache], which asks once in five minutes.
//
// Unknown is none: only what a forge names is granted. An error is never "none" either: it is
// [hub.ErrDenied] where the forge refused the credentials and [ErrUnavailable] where it was not
// reached, or answered with anything else. A forge is called at the address of the settings
// alone, whatever it answers, and a token is sent nowhere else and kept nowhere.
package forge

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/git-cortex/cortex/hub"
)

// ErrUnavailable says that a forge was not reached, or did not answer what it should: nothing
// is known about what the caller may read.
var ErrUnavailable = errors.New("the forge did not answer")

// Bounds of what a forge answers.
const (
	maxRepositories = 50_000   // of one caller
	maxPage         = 16 << 20 // bytes of one answer
	maxWait         = 15 * time.Second
)

// Options say where a forge is. Name is what [hub.RepoRef.Forge] holds. URL is the root of its
// API: https, or http on this machine. Transport is for tests and
// proxies; nil is that of the standard library.
type Options struct {
	Name      string
	URL       string
	Transport http.RoundTripper
}

// Host is a forge with an API that lists what a caller may read. It is safe for concurrent use.
type Host struct {
	name   string
	base   *url.URL
	client *http.Client

	authorize func(http.Header, hub.Credentials)
	// lists are the first pages of what the caller may read.
	lists func(context.Context, *Host, hub.Credentials) (paths []string, err error)
	parse func(body []byte) (page, error)
	event events
}

// page is one page of a list: its repositories, how many entries it had, and the address of
// the next page where the body names it.
type page struct {
	repos []repository
	size  int
	next  string
}

type repository struct{ id, name string }

// pageOf is a page of what a forge lists, with the repositories that may be read.
func pageOf[T any](list []T, repositoryOf func(T) (r repository, may bool)) page {
	p := page{size: len(list)}
	for _, entry := range list {
		if r, may := repositoryOf(entry); may {
			p.repos = append(p.repos, r)
		}
	}
	return p
}

// newHost checks an address and makes a forge that is asked there.
func newHost(o Options, usual string) (*Host, error) {
	address := o.URL
	address = cmp.Or(address, usual)
	base, err := url.Parse(strings.TrimSuffix(address, "/"))
	if err != nil || base.Host == "" || base.User != nil {
		return nil, fmt.Errorf("the address of forge %s is no URL of an API, or holds a password", o.Name)
	}
	if base.Scheme != "https" && !isLocal(base) {
		return nil, fmt.Errorf("the address of forge %s must begin with https: tokens are sent to it", o.Name)
	}
	client := &http.Client{
		Transport: o.Transport, Timeout: maxWait,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	return &Host{name: o.Name, base: base, client: client}, nil
}

// isLocal reports whether a URL leads to this machine, by a number that nobody else answers to.
func isLocal(u *url.URL) bool {
	ip, err := netip.ParseAddr(u.Hostname())
	return err == nil && u.Scheme == "http" && ip.IsLoopback()
}

// Readable is [hub.Forge]: those of ask that the forge lists for the caller.
func (h *Host) Readable(ctx context.Context, cred hub.Credentials, ask []hub.RepoRef) ([]hub.RepoRef, string, error) {
	list, err := h.List(ctx, cred, "")
	if err != nil {
		return nil, "", err
	}
	return list.Among(ask), list.ETag, nil
}

// Event is [hub.Forge].
func (h *Host) Event(header func(string) string, body, secret []byte) (hub.RepoRef, error) {
	ref, err := h.event.check(header, body, secret)
	ref.Forge = h.name
	return ref, err
}

// answer is one response of the API.
type answer struct {
	body      []byte
	etag      string
	next      string // of the Link header
	unchanged bool
}

// get asks one address of the API. With an etag the answer may be that nothing changed.
func (h *Host) get(ctx context.Context, address string, cred hub.Credentials, etag string) (answer, error) {
	if !h.isOurs(address) {
		return answer{}, fmt.Errorf("%w: it leads to another address than %s", ErrUnavailable, h.base.Host)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	request.Header.Set("Accept", "application/json")
	request.Header.Set("User-Agent", "cortex-hub")
	h.authorize(request.Header, cred)
	if etag != "" {
		request.Header.Set("If-None-Match", etag)
	}
	response, err := h.client.Do(request)
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	defer response.Body.Close()
	if err := refusal(response); err != nil {
		return answer{}, err
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxPage+1))
	if err != nil {
		return answer{}, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if len(body) > maxPage {
		return answer{}, fmt.Errorf("%w: it sent more than %d MB", ErrUnavailable, maxPage>>20)
	}
	return answer{
		body: body, etag: response.Header.Get("ETag"), next: nextLink(response.Header.Values("Link")),
		unchanged: response.StatusCode == http.StatusNotModified,
	}, nil
}

// isOurs reports whether an address is below the one in the settings: a forge that names
// another one gets no token there.
func (h *Host) isOurs(address string) bool {
	u, err := url.Parse(address)
	return err == nil && u.Scheme == h.base.Scheme && u.Host == h.base.Host && u.User == nil
}

// refusal is the error of a response that has no answer; nil for one that has.
func refusal(r *http.Response) error {
	switch {
	case r.StatusCode == http.StatusOK, r.StatusCode == http.StatusNotModified:
		return nil
	case r.StatusCode == http.StatusUnauthorized, r.StatusCode == http.StatusForbidden && !isLimited(r.Header):
		return fmt.Errorf("%w: it answered %s", hub.ErrDenied, r.Status)
	}
	return fmt.Errorf("%w: it answered %s", ErrUnavailable, r.Status)
}

// isLimited reports whether a forge refused because it was asked too often: GitHub says so with
// 403 (docs.github.com, "Rate limits for the REST API").
func isLimited(h http.Header) bool {
	return h.Get("X-RateLimit-Remaining") == "0" || h.Get("Retry-After") != ""
}

// nextLink reads the address of the next page from Link headers (RFC 8288):
// <https://api.github.com/user/repos?page=2>; rel="next", <…>; rel="last".
func nextLink(headers []string) string {
	for link := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		address, rest, _ := strings.Cut(link, ">")
		address, open := strings.CutPrefix(strings.TrimSpace(address), "<")
		if open && strings.Contains(strings.ReplaceAll(rest, `"`, ""), "rel=next") {
			return address
		}
	}
	return ""
}

// decode reads JSON of a forge. A number stays as it is written.
func decode(body []byte, into any) error {
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	return nil
}

// bearer presents a token as most forges take it.
func bearer(h http.Header, c hub.Credentials) { h.Set("Authorization", "Bearer "+c.Secret) }
