package embed

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// RemoteOptions says where an OpenAI-compatible endpoint is and how to treat
// it. URL and Name are required; what is zero has the default given.
type RemoteOptions struct {
	URL     string        // up to and with the version, such as http://localhost:11434/v1
	Name    string        // of the model, as the endpoint knows it
	Key     string        // sent as a bearer token; "" sends none
	KeyName string        // environment variable that Key is from, for messages
	Batch   int           // texts in one request; 64
	Timeout time.Duration // of one request; 30 s
	Retries int           // after a failure that may pass; 3, negative means none

	// Wait sleeps between attempts; nil means a timer. Tests pass their own.
	Wait func(ctx context.Context, d time.Duration) error
	// Health is told how the endpoint answers; nil remembers nothing.
	Health Health
}

// Limits of what is sent and taken.
const (
	maxRemoteText  = 16 << 10 // bytes of one text; the rest is not sent
	maxRemoteBatch = 1024
	firstWait      = 500 * time.Millisecond
	longestWait    = 30 * time.Second
)

// Remote embeds texts by asking an OpenAI-compatible endpoint: Ollama,
// llama.cpp, vLLM, OpenAI. It implements [Impatient]. Several goroutines may use
// it.
type Remote struct {
	opt    RemoteOptions
	url    *url.URL
	client *http.Client
	dims   atomic.Int64
}

// NewRemote checks opt; it does not ask the endpoint yet. A key is sent
// over https, or to this machine or network: it is refused for a plain http
// address elsewhere.
func NewRemote(opt RemoteOptions) (*Remote, error) {
	u, err := url.Parse(strings.TrimRight(opt.URL, "/") + "/embeddings")
	if err != nil || u.Host == "" || !slices.Contains([]string{"http", "https"}, u.Scheme) {
		return nil, fmt.Errorf("embedding endpoint %q is not an http or https address", opt.URL)
	}
	if err := opt.check(u); err != nil {
		return nil, err
	}
	m := &Remote{opt: opt.filled(), url: u}
	m.client = &http.Client{CheckRedirect: m.checkRedirect}
	return m, nil
}

// check returns what is wrong with the options for an endpoint at an address.
func (o *RemoteOptions) check(u *url.URL) error {
	switch {
	case u.User != nil:
		return errors.New("embedding endpoint holds a password: name the environment variable of a key instead")
	case o.Name == "":
		return fmt.Errorf("embedding endpoint %s needs the name of a model", u.Host)
	case o.Key != "":
		return o.checkKey(u)
	}
	return nil
}

// checkKey returns what is wrong with sending the key to an address.
func (o *RemoteOptions) checkKey(u *url.URL) error {
	if u.Scheme == "http" && !nearby(u.Hostname()) {
		return fmt.Errorf("embedding endpoint %s would get the key of %s unencrypted: use https", u.Host, o.keyName())
	}
	if strings.ContainsFunc(o.Key, func(r rune) bool { return r < ' ' || r > '~' }) {
		return fmt.Errorf("the key in %s holds characters that no key has", o.keyName())
	}
	return nil
}

// filled returns the options with defaults for what is zero.
func (o RemoteOptions) filled() RemoteOptions {
	if o.Batch <= 0 || o.Batch > maxRemoteBatch {
		o.Batch = 64
	}
	o.Timeout = cmp.Or(max(o.Timeout, 0), 30*time.Second)
	o.Retries = cmp.Or(o.Retries, 3)
	if o.Wait == nil {
		o.Wait = wait
	}
	o.Health = cmp.Or[Health](o.Health, robust{})
	return o
}

func (o *RemoteOptions) keyName() string { return cmp.Or(o.KeyName, "the settings") }

// nearby reports whether a host is this machine or on a private network.
func nearby(host string) bool {
	addr, err := netip.ParseAddr(host)
	if err != nil {
		return host == "localhost" || strings.HasSuffix(host, ".localhost")
	}
	addr = addr.Unmap()
	return addr.IsLoopback() || addr.IsPrivate() || addr.IsLinkLocalUnicast()
}

// errRedirects says that an endpoint sends us elsewhere.
var errRedirects = errors.New("it redirects")

// checkRedirect follows an endpoint within its host alone: texts and key are
// for nobody else.
func (m *Remote) checkRedirect(next *http.Request, via []*http.Request) error {
	if next.URL.Host != m.url.Host || next.URL.Scheme != m.url.Scheme {
		return fmt.Errorf("%w to %s, which the settings do not name", errRedirects, next.URL.Host)
	}
	if len(via) > 3 {
		return fmt.Errorf("%w again and again", errRedirects)
	}
	return nil
}

// Name is the address and the name of the model.
func (m *Remote) Name() string {
	return m.url.Scheme + "://" + m.url.Host + strings.TrimSuffix(m.url.Path, "/embeddings") + " " + m.opt.Name
}

// Dims is 0 until the first answer.
func (m *Remote) Dims() int { return int(m.dims.Load()) }

// Embed implements [Model]. Failures that may pass (no connection, 429, 5xx)
// are tried again, with growing pauses or those the endpoint asks for.
func (m *Remote) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	out, err := m.embed(ctx, texts, m.opt.Retries)
	switch {
	case err == nil:
		m.opt.Health.Answered(0)
		return out, nil
	case ctx.Err() == nil:
		m.opt.Health.Failed(0, err)
	}
	return nil, fmt.Errorf("asking %s for embeddings: %w", m.url.Host, err)
}

// embed asks in batches, each again up to so often.
func (m *Remote) embed(ctx context.Context, texts []string, retries int) ([][]float32, error) {
	out := make([][]float32, 0, len(texts))
	for len(texts) > 0 {
		n := min(len(texts), m.opt.Batch)
		vectors, err := m.embedBatch(ctx, texts[:n], retries)
		if err != nil {
			return nil, err
		}
		out = append(out, vectors...)
		texts = texts[n:]
	}
	return out, nil
}

func (m *Remote) embedBatch(ctx context.Context, texts []string, retries int) ([][]float32, error) {
	request := remoteRequest{Model: m.opt.Name, Input: make([]string, len(texts)), Format: "float"}
	for i, t := range texts {
		request.Input[i] = sendable(t)
	}
	body, err := json.Marshal(request)
	if err != nil {
		return nil, err
	}
	answer, err := m.ask(ctx, body, len(texts))
	for pause := firstWait; mayPass(err) && retries > 0 && ctx.Err() == nil; pause *= 2 {
		if e := m.opt.Wait(ctx, min(longestWait, max(pause, asksToWait(err)))); e != nil {
			return nil, errors.Join(err, e)
		}
		answer, err = m.ask(ctx, body, len(texts))
		retries--
	}
	if err != nil {
		return nil, err
	}
	return m.vectors(answer, len(texts))
}

// mayPass reports whether a request that failed may succeed when it is tried again.
func mayPass(err error) bool {
	var failed *remoteError
	return errors.As(err, &failed) && failed.passing
}

// asksToWait is how long the endpoint asks to wait.
func asksToWait(err error) time.Duration {
	var failed *remoteError
	if errors.As(err, &failed) {
		return failed.after
	}
	return 0
}

// sendable is text as it is sent: valid, not empty (endpoints refuse that), and
// of bounded size.
func sendable(text string) string {
	text = strings.ToValidUTF8(text, "\uFFFD")
	if len(text) > maxRemoteText {
		text = strings.ToValidUTF8(text[:maxRemoteText], "")
	}
	if strings.TrimSpace(text) == "" {
		return "."
	}
	return text
}

type remoteRequest struct {
	Model  string   `json:"model"`
	Input  []string `json:"input"`
	Format string   `json:"encoding_format"`
}

type remoteAnswer struct {
	Data []struct {
		Index  *int      `json:"index"`
		Vector []float32 `json:"embedding"`
	} `json:"data"`
}

// remoteError is a failure of the endpoint.
type remoteError struct {
	status  int           // 0: no answer
	text    string        // what the endpoint said, one line
	passing bool          // trying again may help
	after   time.Duration // that it asks to wait
	err     error
}

// Error says what happened and, for the usual causes, what to look at.
func (e *remoteError) Error() string {
	if e.err != nil {
		return e.err.Error()
	}
	message := fmt.Sprintf("%d %s", e.status, http.StatusText(e.status))
	if e.text != "" {
		message += ": " + e.text
	}
	return message
}

func (e *remoteError) Unwrap() error { return e.err }

// ask sends one request.
func (m *Remote) ask(ctx context.Context, body []byte, count int) (*remoteAnswer, error) {
	limited, cancel := context.WithTimeout(ctx, m.opt.Timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(limited, http.MethodPost, m.url.String(), bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("User-Agent", "cortex")
	if m.opt.Key != "" {
		request.Header.Set("Authorization", "Bearer "+m.opt.Key)
	}
	response, err := m.client.Do(request)
	if err != nil {
		return nil, cmp.Or(ctx.Err(), m.noAnswer(err))
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, m.refusal(response)
	}
	// 24 bytes hold any number of the answer, written out.
	limit := int64(1<<20 + count*MaxDims*24)
	data, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return nil, m.noAnswer(err)
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("an answer of more than %d bytes", limit)
	}
	var answer remoteAnswer
	if err := json.Unmarshal(data, &answer); err != nil {
		return nil, fmt.Errorf("reading its answer: %w", err)
	}
	return &answer, nil
}

// noAnswer is the error of a request that got no whole answer. It may pass,
// unless the endpoint sends us elsewhere.
func (m *Remote) noAnswer(err error) error {
	var failed *url.Error
	if errors.As(err, &failed) {
		if failed.Timeout() {
			return &remoteError{passing: true, err: fmt.Errorf("no answer within %v", m.opt.Timeout)}
		}
		err = failed.Err
	}
	return &remoteError{passing: !errors.Is(err, errRedirects), err: err}
}

// refusal is the error of an answer that is not 200.
func (m *Remote) refusal(r *http.Response) error {
	e := &remoteError{status: r.StatusCode}
	if seconds, err := strconv.Atoi(r.Header.Get("Retry-After")); err == nil {
		e.after = min(longestWait, max(0, time.Duration(seconds)*time.Second))
	}
	body, _ := io.ReadAll(io.LimitReader(r.Body, 4096))
	e.text = m.explain(body)
	switch r.StatusCode {
	case http.StatusTooManyRequests, http.StatusRequestTimeout:
		e.passing = true
	case http.StatusUnauthorized, http.StatusForbidden:
		e.text = strings.TrimSpace(e.text + " (" + m.aboutKey() + ")")
	default:
		e.passing = r.StatusCode >= 500
	}
	return e
}

// aboutKey says which key an endpoint was asked with.
func (m *Remote) aboutKey() string {
	if m.opt.Key == "" {
		return "no key was sent: is " + m.opt.keyName() + " set?"
	}
	return "the key is from " + m.opt.keyName()
}

// explain takes the message from the body of a refusal, {"error": "…"} or {"error":
// {"message": "…"}}, for people: one line, of bounded length, never with the key.
func (m *Remote) explain(body []byte) string {
	var plain struct {
		Error string `json:"error"`
	}
	var nested struct {
		Error struct {
			Message string `json:"message"`
		} `json:"error"`
	}
	_, _ = json.Unmarshal(body, &plain), json.Unmarshal(body, &nested)
	text := cmp.Or(nested.Error.Message, plain.Error, string(body))
	if m.opt.Key != "" {
		text = strings.ReplaceAll(text, m.opt.Key, "…")
	}
	return FirstChars(memory.OneLine(memory.Clean(text)), 200)
}

// vectors takes the vectors from an answer, in the order of the texts.
func (m *Remote) vectors(answer *remoteAnswer, count int) ([][]float32, error) {
	if len(answer.Data) != count {
		return nil, fmt.Errorf("%d embeddings for %d texts", len(answer.Data), count)
	}
	out := make([][]float32, count)
	for i, d := range answer.Data {
		if d.Index == nil {
			d.Index = &i
		}
		at := *d.Index
		if at < 0 || at >= count || out[at] != nil {
			return nil, fmt.Errorf("an embedding for text %d of %d, or two", at, count)
		}
		if d.Vector == nil {
			return nil, errors.New("an answer without embedding")
		}
		out[at] = d.Vector
	}
	dims := cmp.Or(m.Dims(), len(out[0]))
	if dims > MaxDims {
		return nil, fmt.Errorf("%d dimensions, at most %d", dims, MaxDims)
	}
	if err := Check(out, count, dims); err != nil {
		return nil, err
	}
	m.dims.Store(int64(dims))
	return out, nil
}

func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
