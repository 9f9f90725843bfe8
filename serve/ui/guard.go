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
	"time"
)

// staysIn is how long a browser stays let in.
const staysIn = 30 * 24 * time.Hour

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
	token string // "" once a browser that presented it has come back with the cookie
	shown bool   // somebody has presented it
}

// newGuard returns the guard of a server at an address, which must be loopback. The secret lets in who was let in with
// it before.
func newGuard(addr, token, secret string) (*guard, error) {
	address, port, found := strings.Cut(addr, ":")
	if !found || address != "127.0.0.1" {
		return nil, fmt.Errorf("the pages are served on 127.0.0.1 alone, not on %s", addr)
	}
	g := &guard{host: addr, cookie: "cortex-" + port, secret: secret, token: token}
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
		if g.fromDoor(r) {
			g.enter(w, r, r.URL.Query().Get("token"))
			return
		}
		if why := g.outside(r); why != "" {
			refuse(w, http.StatusForbidden, why, "")
			return
		}
		if token := r.URL.Query().Get("token"); token != "" && r.Method == http.MethodGet {
			g.enter(w, r, token)
			return
		}
		if !g.known(r) {
			refuse(w, http.StatusForbidden, "This browser has not been let in.",
				"Open the address that cortex ui prints; it works once. Run cortex ui again for a new one.")
			return
		}
		g.close()
		if !slices.Contains([]string{http.MethodGet, http.MethodHead}, r.Method) {
			r.Body = http.MaxBytesReader(w, r.Body, maxForm)
			var large *http.MaxBytesError
			if errors.As(r.ParseForm(), &large) {
				refuse(w, http.StatusRequestEntityTooLarge, "This form is too large.",
					"Go back: the browser still has your text.")
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
	known := slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodPost}, r.Method)
	reads := r.Method != http.MethodPost
	switch {
	case r.Host != g.host:
		return "These pages have another address."
	case !known:
		return "There is no such request."
	case !g.ownOrigin(r.Header.Get("Origin"), reads):
		return "This request comes from another page."
	case !ownSite(r.Header.Get("Sec-Fetch-Site"), reads):
		return "This request comes from another site."
	}
	return ""
}

// ownOrigin reports whether a request comes from one of these pages; one that only reads
// need not say so.
func (g *guard) ownOrigin(origin string, reads bool) bool {
	return origin == "http://"+g.host || origin == "" && reads
}

// ownSite reports whether the browser says that a request comes from this site, from nobody
// while it only reads, or says nothing.
func ownSite(site string, reads bool) bool {
	switch site {
	case "", "same-origin":
		return true
	case "none":
		return reads
	}
	return false
}

// fromDoor reports whether a browser was sent here by the file of [Door], with the
// token. A browser says of that as of any page that it comes from another site.
func (g *guard) fromDoor(r *http.Request) bool {
	isDoor := r.Method == http.MethodGet && r.Host == g.host && r.URL.Path == "/"
	return isDoor && isNavigation(r.Header) && g.opens(r.URL.Query().Get("token"))
}

// isNavigation reports whether a browser goes to an address from the page of another site.
func isNavigation(h http.Header) bool {
	site, mode := h.Get("Sec-Fetch-Site"), h.Get("Sec-Fetch-Mode")
	return h.Get("Origin") == "" && site == "cross-site" && mode == "navigate"
}

// opens reports whether a token is the one that still lets a browser in.
func (g *guard) opens(token string) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	opens := g.token != "" && same(token, g.token)
	g.shown = g.shown || opens
	return opens
}

// close makes a token that was presented worthless: the browser that it was for is in.
func (g *guard) close() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.shown {
		g.token = ""
	}
}

// enter lets in who has the token. It is good until a browser has come back with the
// cookie: a client that closed the connection before the answer, such as one that only
// looks ahead, has not used it up.
func (g *guard) enter(w http.ResponseWriter, r *http.Request, token string) {
	switch {
	case g.opens(token):
		http.SetCookie(w, &http.Cookie{
			Name: g.cookie, Value: g.secret, Path: "/", HttpOnly: true,
			SameSite: http.SameSiteStrictMode, MaxAge: int(staysIn / time.Second),
		})
	case !g.known(r): // who is in already may load the address again
		refuse(w, http.StatusForbidden, "This address was used already, or is wrong.",
			"Run cortex ui again for a new one.")
		return
	}
	if r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		// A redirection would still count as one of the other site, without the cookie.
		w.Header().Set("Refresh", "0; url=/")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = w.Write([]byte("<!doctype html>\n<link rel=icon href=\"data:,\">\n<title>Cortex</title>\n<p><a " +
			"href=\"/\">This browser is let in.</a>\n"))
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
