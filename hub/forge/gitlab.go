package forge

import (
	"context"
	"crypto/hmac"
	"encoding/base64"
	"encoding/json"
	"strings"

	"github.com/git-cortex/cortex/hub"
)

// GitLab is gitlab.com, or a GitLab at "https://host/api/v4".
//
// What a caller may read is GET /projects with membership and at least the role of a reporter
// (20), who sees code; its pages go by keyset (docs.gitlab.com, "Projects API" and "REST API:
// Pagination").
//
// A secret of the form "whsec_…" is a signing token: webhook-signature holds "v1," and the HMAC
// of "<webhook-id>.<webhook-timestamp>.<body>" in base64, as Standard Webhooks has it
// (gitlab-org/gitlab!230944). Any other secret is compared with X-Gitlab-Token, which GitLab
// sends as it is (docs.gitlab.com, "Webhooks").
func GitLab(o Options) (*Host, error) {
	h, err := newHost(o, "https://gitlab.com/api/v4")
	if err != nil {
		return nil, err
	}
	h.authorize = bearer
	h.lists = func(context.Context, *Host, hub.Credentials) ([]string, error) {
		return one("/projects?membership=true&min_access_level=20&simple=true" +
			"&pagination=keyset&order_by=id&sort=asc&per_page=100"), nil
	}
	h.parse = parseProjects
	h.event = events{
		kind:   "X-Gitlab-Event",
		kinds:  []string{"Push Hook", "System Hook", "Project Hook"},
		signed: isSignedByGitLab,
		about:  aboutProject,
	}
	return h, nil
}

func isSignedByGitLab(header func(string) string, body, secret []byte) bool {
	encoded, ok := strings.CutPrefix(string(secret), "whsec_")
	if !ok {
		// The sums are compared, so that the time says nothing about the length either.
		return hmac.Equal(sum(secret, []byte(header("X-Gitlab-Token"))), sum(secret, secret))
	}
	key, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil || len(key) == 0 {
		return false
	}
	head := header("webhook-id") + "." + header("webhook-timestamp") + "."
	want := sum(key, []byte(head), body)
	found := false
	for signature := range strings.FieldsSeq(header("webhook-signature")) {
		text, ok := strings.CutPrefix(signature, "v1,")
		got, err := base64.StdEncoding.DecodeString(text)
		if ok && err == nil && hmac.Equal(got, want) {
			found = true
		}
	}
	return found
}

func parseProjects(body []byte) (page, error) {
	type project struct {
		ID   json.Number `json:"id"`
		Path string      `json:"path_with_namespace"`
	}
	var list []project
	err := decode(body, &list)
	return pageOf(list, func(p project) (repository, bool) { return repository{p.ID.String(), p.Path}, true }), err
}

// aboutProject reads the project of an event. A system hook names it by id alone.
func aboutProject(body []byte) (hub.RepoRef, error) {
	var p struct {
		ID      json.Number `json:"project_id"`
		Project struct {
			Path string `json:"path_with_namespace"`
		} `json:"project"`
	}
	err := json.Unmarshal(body, &p)
	return hub.RepoRef{ID: p.ID.String(), Name: p.Project.Path}, err
}
