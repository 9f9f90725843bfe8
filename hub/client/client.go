// Package client asks a hub over HTTP for what the user may read of the memories of many repositories.
//
// Call [Open] first: it reads the address that the user's own git configuration names. No file and no
// setting of a repository names one. [Client.Search] asks as whom git's credential helpers know the
// user, and [At] is for a login that is about to be checked.
//
// What the package promises: a password goes to that address alone, over TLS or to this machine;
// no redirect is followed; every request ends in time, and every failure is one of the errors below,
// so that a caller can say what to do about it.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"github.com/git-cortex/cortex/gitops/user"
	"github.com/git-cortex/cortex/memory"
)

// Keys of the user's git configuration, as git prints them.
const (
	keyPrefix = "cortex.hub."
	URLKey    = "cortex.hub.url"   // address of the hub
	ForgeKey  = "cortex.hub.forge" // name of the forge, for a hub of several
)

// Bounds of a request.
const (
	dialLimit  = 700 * time.Millisecond // of a hub that is down, after which the answer is that of the clone
	firstLimit = 5 * time.Second        // for its first byte, and before that for TLS
	askLimit   = 10 * time.Second       // for all of it
	maxAnswer  = 8 << 20                // bytes
)

// What can be wrong with a hub. An error of this package is one of them, that of ctx, or
// [user.ErrNoLogin].
var (
	ErrNoAddress   = errors.New("no hub is set")
	ErrAddress     = errors.New("the address of a hub is https, or http on this machine, without a password")
	ErrUnreachable = errors.New("the hub does not answer")
	ErrDenied      = errors.New("the hub does not accept your password or token")
	ErrUnavailable = errors.New("the hub cannot ask now what you may read")
	ErrTooOften    = errors.New("the hub is asked too often")
	ErrQuestion    = errors.New("the hub does not understand the question")
	ErrNone        = errors.New("the hub has no such memory, or none that you may read")
	ErrFlagged     = errors.New("the memory may give an agent orders or hold a secret")
	ErrAnswer      = errors.New("the hub does not answer as a hub does")
)

// errSlow is why a hub does not answer that is there.
var errSlow = errors.New("it takes too long")

// Client asks one hub. It is safe for concurrent use.
type Client struct {
	base  *url.URL
	forge string
	git   *user.Git
	login *user.Login // nil: what git's credential helpers have
	http  *http.Client
}

// Open returns the hub that the user's git configuration names; [ErrNoAddress] where it names none,
// mostly without asking git.
func Open(ctx context.Context, environ []string) (*Client, error) {
	git, err := user.Open(environ)
	if err != nil {
		return nil, err
	}
	if !git.Mentions("cortex") {
		return nil, ErrNoAddress
	}
	settings, err := git.Settings(ctx, keyPrefix)
	if err != nil {
		return nil, err
	}
	if settings[URLKey] == "" {
		return nil, ErrNoAddress
	}
	base, err := Address(settings[URLKey])
	if err != nil {
		return nil, err
	}
	return &Client{base: base, forge: settings[ForgeKey], git: git, http: newHTTP()}, nil
}

// At returns the hub at an address, which is asked in the name of login.
func At(base *url.URL, forge string, login user.Login) *Client {
	return &Client{base: base, forge: forge, login: &login, http: newHTTP()}
}

// Address reads the address of a hub.
func Address(text string) (*url.URL, error) {
	u, err := url.Parse(strings.TrimRight(text, "/"))
	if err != nil {
		return nil, ErrAddress // whose text may hold a password
	}
	plain := &url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	if plain.String() != u.String() || u.Host == "" || !isPrivate(u) {
		return nil, fmt.Errorf("%w: %q is none", ErrAddress, u.Redacted())
	}
	return u, nil
}

// isPrivate reports whether nobody on the way to an address reads what is sent there.
func isPrivate(u *url.URL) bool {
	return u.Scheme == "https" || u.Scheme == "http" && isLoopback(u.Hostname())
}

// isLoopback reports whether a host is this machine.
func isLoopback(host string) bool {
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return strings.EqualFold(host, "localhost")
	}
	return addr.Unmap().IsLoopback()
}

func newHTTP() *http.Client {
	dialer := &net.Dialer{Timeout: dialLimit}
	return &http.Client{
		Timeout: askLimit,
		Transport: &http.Transport{
			Proxy: http.ProxyFromEnvironment, DialContext: dialer.DialContext, TLSHandshakeTimeout: firstLimit,
			ResponseHeaderTimeout: firstLimit, MaxIdleConns: 1, IdleConnTimeout: askLimit,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// Search asks what of the memories that the user may read answers a query.
func (c *Client) Search(ctx context.Context, q Question) (*Answer, error) {
	q.Forge = c.forge
	a := Answer{Filters: map[string][]string{}, Results: []*Result{}}
	return &a, c.ask(ctx, http.MethodPost, "/v1/search", q, &a)
}

// Who asks who met an error before. Its lines are sent as they are: see agents.Signatures for what need not be told.
func (c *Client) Who(ctx context.Context, text string) (*Met, error) {
	m := Met{Results: []*Result{}}
	question := map[string]string{"error": text, "forge": c.forge}
	return &m, c.ask(ctx, http.MethodPost, "/v1/who", question, &m)
}

// Memory asks for a memory by its id, the beginning of it, or the blob of its file.
func (c *Client) Memory(ctx context.Context, name string) (*Result, error) {
	path := "/v1/memory/"
	if c.forge != "" {
		path += url.PathEscape(c.forge) + "/"
	}
	var r Result
	return &r, c.ask(ctx, http.MethodGet, path+url.PathEscape(name), nil, &r)
}

// Ask asks the hub that the user has set. What may give an agent orders or hold a secret is left out, unless flagged
// results are wanted too.
func Ask(ctx context.Context, environ []string, flagged bool, ask func(*Client) (Told, error)) (Told, error) {
	c, err := Open(ctx, environ)
	if err != nil {
		return nil, err
	}
	told, err := ask(c)
	if err == nil && !flagged {
		err = told.Unflagged()
	}
	return told, err
}

// ask sends a request and reads the answer into out. A login that the hub refuses is forgotten, as git
// forgets it.
func (c *Client) ask(ctx context.Context, method, path string, body, out any) error {
	login := c.login
	if login == nil {
		kept, err := c.git.Login(ctx, c.base, false)
		if err != nil {
			return err
		}
		login = &kept
	}
	err := c.send(ctx, method, path, *login, body, out)
	if errors.Is(err, ErrDenied) && c.login == nil {
		err = errors.Join(err, c.git.Reject(ctx, c.base, *login))
	}
	return err
}

func (c *Client) send(ctx context.Context, method, path string, login user.Login, body, out any) error {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, c.base.String()+path, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("User-Agent", "cortex")
	req.SetBasicAuth(login.User, login.Secret)
	resp, err := c.http.Do(req)
	if err != nil {
		return c.noAnswer(ctx, err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxAnswer+1))
	if err != nil {
		return c.noAnswer(ctx, err)
	}
	if resp.StatusCode != http.StatusOK {
		return c.refusal(resp.StatusCode, data, login)
	}
	if len(data) > maxAnswer {
		return fmt.Errorf("%w: %s sends more than %d bytes", ErrAnswer, c.base.Host, maxAnswer)
	}
	if err := json.Unmarshal(data, out); err != nil {
		return fmt.Errorf("%w: %s: %w", ErrAnswer, c.base.Host, err)
	}
	return nil
}

// noAnswer is the error of a request that got no whole answer.
func (c *Client) noAnswer(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err
	}
	var slow net.Error
	if errors.As(err, &slow) && slow.Timeout() {
		err = errSlow
	}
	return fmt.Errorf("%w: %s: %w", ErrUnreachable, c.base.Host, err)
}

// refusal is the error of an answer that is not 200.
func (c *Client) refusal(status int, body []byte, login user.Login) error {
	if status == http.StatusBadRequest {
		return fmt.Errorf("%w: %s", ErrQuestion, said(body, login))
	}
	known := map[int]error{
		http.StatusUnauthorized: ErrDenied, http.StatusServiceUnavailable: ErrUnavailable,
		http.StatusTooManyRequests: ErrTooOften, http.StatusNotFound: ErrNone,
	}
	if err := known[status]; err != nil {
		return fmt.Errorf("%w (%s)", err, c.base.Host)
	}
	return fmt.Errorf("%w: %s says %d %s", ErrAnswer, c.base.Host, status, said(body, login))
}

// said is the error that a hub sends, in one line without the password.
func said(body []byte, login user.Login) string {
	var sent struct {
		Error string `json:"error"`
	}
	_ = json.Unmarshal(body, &sent)
	return memory.Cut(memory.OneLine(memory.Clean(strings.ReplaceAll(sent.Error, login.Secret, "…"))), maxSaid)
}

// maxSaid is how many characters of what a hub says are shown.
const maxSaid = 200
