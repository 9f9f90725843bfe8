package forge

import (
	"cmp"
	"context"
	"net/http"

	"github.com/git-cortex/cortex/hub"
)

// Gitea is a Gitea or a Forgejo at "https://host/api/v1".
//
// What a caller may read is GET /user/repos, with the next page in the Link header and at most
// 50 entries in one (docs.gitea.com, "API Usage"). Events carry the HMAC of the body in bare
// hexadecimal: X-Gitea-Signature, and with Forgejo X-Forgejo-Signature too (docs.gitea.com and
// forgejo.org, "Webhooks"). Where the second is there, it alone counts.
func Gitea(o Options) (*Host, error) {
	h, err := newHost(o, "")
	if err != nil {
		return nil, err
	}
	h.authorize = func(header http.Header, c hub.Credentials) { header.Set("Authorization", "token "+c.Secret) }
	h.lists = func(context.Context, *Host, hub.Credentials) ([]string, error) {
		return one("/user/repos?limit=50"), nil
	}
	h.parse = parseRepositories
	h.event = events{
		kind: "X-Gitea-Event", kinds: []string{"push", "repository"}, about: aboutRepository,
		signed: func(header func(string) string, body, secret []byte) bool {
			return isHex(cmp.Or(header("X-Forgejo-Signature"), header("X-Gitea-Signature")), sum(secret, body))
		},
	}
	return h, nil
}
