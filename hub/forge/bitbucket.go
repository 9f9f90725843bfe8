package forge

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/git-cortex/cortex/hub"
)

// Bitbucket is Bitbucket Cloud.
//
// What a caller may read is asked by workspace, since the lists over all of them are gone
// (CHANGE-2770, CHANGE-3022 at developer.atlassian.com): GET /user/workspaces, then
// GET /repositories/{workspace}?role=member; the next page is in the body. A repository is told
// by its uuid. Events carry X-Hub-Signature, "sha256=" and the HMAC of the body in hexadecimal
// (support.atlassian.com, "Manage webhooks"). With a user the secret is sent as a password, as
// API tokens want it, else as a bearer's token.
func Bitbucket(o Options) (*Host, error) {
	h, err := newHost(o, "https://api.bitbucket.org/2.0")
	if err != nil {
		return nil, err
	}
	h.authorize = func(header http.Header, c hub.Credentials) {
		if c.User == "" {
			bearer(header, c)
			return
		}
		header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte(c.User+":"+c.Secret)))
	}
	h.lists = workspaces
	h.parse = parseBitbucket
	h.event = events{
		kind: "X-Event-Key", kinds: []string{"repo:push", "repo:updated"}, about: aboutBitbucket,
		signed: func(header func(string) string, body, secret []byte) bool {
			return isPrefixedHex(header("X-Hub-Signature"), body, secret)
		},
	}
	return h, nil
}

// workspaces returns the lists of the workspaces that a caller is in.
func workspaces(ctx context.Context, h *Host, cred hub.Credentials) (paths []string, err error) {
	err = h.walk(ctx, "/user/workspaces?pagelen=100", cred, func(_ string, a answer) (string, error) {
		var list struct {
			Values []struct {
				Workspace struct {
					Slug string `json:"slug"`
				} `json:"workspace"`
			} `json:"values"`
			Next string `json:"next"`
		}
		err := decode(a.body, &list)
		for _, v := range list.Values {
			paths = append(paths, "/repositories/"+url.PathEscape(v.Workspace.Slug)+"?role=member&pagelen=100")
		}
		return list.Next, err
	})
	return paths, err
}

type bitbucketRepository struct {
	UUID     string `json:"uuid"`
	FullName string `json:"full_name"`
}

func parseBitbucket(body []byte) (page, error) {
	var list struct {
		Values []bitbucketRepository `json:"values"`
		Next   string                `json:"next"`
	}
	err := decode(body, &list)
	p := pageOf(list.Values,
		func(r bitbucketRepository) (repository, bool) { return repository{r.UUID, r.FullName}, true })
	p.next = list.Next
	return p, err
}

func aboutBitbucket(body []byte) (hub.RepoRef, error) {
	var p struct {
		Repository bitbucketRepository `json:"repository"`
	}
	err := json.Unmarshal(body, &p)
	return hub.RepoRef{ID: p.Repository.UUID, Name: p.Repository.FullName}, err
}
