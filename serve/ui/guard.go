package ui

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
)

// random returns a word that nobody guesses.
func random() string {
	var b [24]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// policy lets a page use our own files, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

// guard decides which requests are those of the person who was given the address.
// Another page in their browser can send requests to loopback too, and a name that
// it controls can be made to resolve to it; so a request must name this host
// exactly, say that it comes from here, and carry a cookie that only a browser has
// which presented the token.
type guard struct {
	host   string // address and port, as the browser says it
	cookie string // its name: cookies are not kept apart by port
	secret string // its value
	form   string // what every form carries besides

	mu    sync.Mutex
	token string // "" once it was used
}

// newGuard returns the guard of a server at an address, which must be loopback.
func newGuard(addr, token string) (*guard, error) {
	address, port, found := strings.Cut(addr, ":")
	if !found || address != "127.0.0.1" {
		return nil, fmt.Errorf("the pages are served on 127.0.0.1 alone, not on %s", addr)
	}
	g := &guard{host: addr, cookie: "cortex-" + port, secret: random(), token: token}
	sum := sha256.Sum256([]byte("form " + g.secret))
	g.form = hex.EncodeToString(sum[:])
	return g, nil
}

// protect lets only the requests of that person through.
func (g *guard) protect(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "same-origin") // with no-referrer a browser says Origin: null of our own forms
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cache-Control", "no-store")
		if why := g.outside(r); why != "" {
			refuse(w, http.StatusForbidden, why, "")
			return
		}
		if token := r.URL.Query().Get("token"); token != "" && r.Method == http.MethodGet {
			g.enter(w, r, token)
			return
		}
		if !g.known(r) {
			refuse(w, http.StatusForbidden, "This browser has not been let in.", "Open the address that cortex ui prints; it works once. Run cortex ui again for a new one.")
			return
		}
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			r.Body = http.MaxBytesReader(w, r.Body, maxForm)
			var large *http.MaxBytesError
			if errors.As(r.ParseForm(), &large) {
				refuse(w, http.StatusRequestEntityTooLarge, "This form is too large.", "Go back: the browser still has your text.")
				return
			}
			if !same(r.PostFormValue("form"), g.form) {
				refuse(w, http.StatusForbidden, "This form is not from here.", "Load the page again.")
				return
			}
		}
		next.ServeHTTP(w, r)
	})
}

// outside says why a request cannot be one that our own pages made, or the person
// who typed the address; "" if it can.
func (g *guard) outside(r *http.Request) string {
	origin, site := r.Header.Get("Origin"), r.Header.Get("Sec-Fetch-Site")
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	switch {
	case r.Host != g.host:
		return "These pages have another address."
	case !reads && r.Method != http.MethodPost:
		return "There is no such request."
	case origin != "" && origin != "http://"+g.host, origin == "" && !reads:
		return "This request comes from another page."
	case site != "" && site != "same-origin" && (site != "none" || !reads):
		return "This request comes from another site."
	}
	return ""
}

// enter lets in the first who has the token.
func (g *guard) enter(w http.ResponseWriter, r *http.Request, token string) {
	g.mu.Lock()
	right := g.token != "" && same(token, g.token)
	if right {
		g.token = ""
	}
	g.mu.Unlock()
	switch {
	case right:
		http.SetCookie(w, &http.Cookie{Name: g.cookie, Value: g.secret, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
	case !g.known(r): // who is in already may load the address again
		refuse(w, http.StatusForbidden, "This address was used already, or is wrong.", "Run cortex ui again for a new one.")
		return
	}
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// known reports whether the request is of a browser that was let in. Pages on other
// ports can put a cookie of the same name before ours.
func (g *guard) known(r *http.Request) bool {
	return slices.ContainsFunc(r.CookiesNamed(g.cookie), func(c *http.Cookie) bool { return same(c.Value, g.secret) })
}

// same compares in a time that says nothing about how much is right.
func same(a, b string) bool { return subtle.ConstantTimeCompare([]byte(a), []byte(b)) == 1 }
