package forge

import (
	"context"
	"net/http"

	"github.com/git-cortex/cortex/hub"
)

// GitHub is github.com, or a GitHub Enterprise Server at "https://host/api/v3".
//
// What a caller may read is GET /user/repos: "repositories that the authenticated user has
// explicit permission (:read, :write, or :admin) to access" (docs.github.com, "REST API
// endpoints for repositories"); the next page is in the Link header. Public repositories of
// others are not among them. Events carry X-Hub-Signature-256, "sha256=" and the HMAC of the
// body in hexadecimal (docs.github.com, "Validating webhook deliveries").
func GitHub(o Options) (*Host, error) {
	h, err := newHost(o, "https://api.github.com")
	if err != nil {
		return nil, err
	}
	h.authorize = func(header http.Header, c hub.Credentials) {
		header.Set("Accept", "application/vnd.github+json")
		header.Set("X-GitHub-Api-Version", "2022-11-28")
		bearer(header, c)
	}
	h.lists = func(context.Context, *Host, hub.Credentials) ([]string, error) {
		return one("/user/repos?per_page=100"), nil
	}
	h.parse = parseRepositories
	h.event = events{
		kind: "X-GitHub-Event", kinds: []string{"push", "repository"}, about: aboutRepository,
		signed: func(header func(string) string, body, secret []byte) bool {
			return isPrefixedHex(header("X-Hub-Signature-256"), body, secret)
		},
	}
	return h, nil
}
