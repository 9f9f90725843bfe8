package forge

import (
	"encoding/hex"
	"errors"
	"maps"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/hub"

	"github.com/google/go-cmp/cmp"
)

const (
	// The secret and the bodies of the examples in the documentation of GitHub ("Validating
	// webhook deliveries") and of Atlassian ("Manage webhooks").
	everybody = "It's a Secret to Everybody"
	octopus   = "757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17" // of "Hello, World!"
	atlassian = "a4771c39fbe90f317c7824e83ddef3caae9cb3d976c214ace1f2937e133263c9" // of "Hello World!"

	// The example of Standard Webhooks, whose form GitLab follows.
	standardSecret = "whsec_plJ3nmyCDGBKInavdOK15jsl"
	standardBody   = `{"event_type":"ping","data":{"success":true}}`
	standardSum    = "rAvfW3dJ/X/qxhsaXPOyyCGmRKsaKWcsNccKXlIktD0="
)

// standard are the headers of the example of Standard Webhooks.
func standard(signature string) map[string]string {
	return map[string]string{
		"webhook-id": "msg_loFOjxBNrRLzqYUf", "webhook-timestamp": "1731705121", "webhook-signature": signature,
	}
}

func headers(of map[string]string) func(string) string {
	lower := map[string]string{}
	for name, value := range of {
		lower[strings.ToLower(name)] = value
	}
	return func(name string) string { return lower[strings.ToLower(name)] }
}

func hosts(t *testing.T) map[string]*Host {
	t.Helper()
	made := map[string]*Host{}
	for name, make := range map[string]func(Options) (*Host, error){
		"github": GitHub, "gitlab": GitLab, "gitea": Gitea, "bitbucket": Bitbucket,
	} {
		h, err := make(Options{Name: name, URL: "https://forge.invalid/api/"})
		if err != nil {
			t.Fatal(err)
		}
		made[name] = h
	}
	return made
}

// TestSignatures: the published examples hold, and none with one bit turned, with another
// secret, without a signature, or where the hub has no secret.
func TestSignatures(t *testing.T) {
	forges := hosts(t)
	for _, c := range []struct {
		forge, secret, body string
		header              map[string]string
	}{
		{"github", everybody, "Hello, World!", map[string]string{"X-Hub-Signature-256": "sha256=" + octopus}},
		{"bitbucket", everybody, "Hello World!", map[string]string{"X-Hub-Signature": "sha256=" + atlassian}},
		{"gitea", everybody, "Hello, World!", map[string]string{"X-Gitea-Signature": octopus}},
		{"gitea", everybody, "Hello, World!", map[string]string{"X-Forgejo-Signature": octopus, "X-Gitea-Signature": "00"}},
		{"gitlab", standardSecret, standardBody, standard("v1," + standardSum)},
		{"gitlab", standardSecret, standardBody, standard("v1,AAAA v1a,x v1," + standardSum)},
	} {
		signed := forges[c.forge].event.signed
		if !signed(headers(c.header), []byte(c.body), []byte(c.secret)) {
			t.Errorf("%s: the published example does not hold", c.forge)
		}
		for i := range len(c.body) * 8 {
			turned := []byte(c.body)
			turned[i/8] ^= 1 << (i % 8)
			if signed(headers(c.header), turned, []byte(c.secret)) {
				t.Errorf("%s: the body may be %q", c.forge, turned)
			}
		}
		for name, value := range c.header {
			if value == "00" || strings.Contains(value, "AAAA") {
				continue
			}
			for i := range len(value) * 7 {
				turned := []byte(value)
				turned[i/7] ^= 1 << (i % 7)
				other := maps.Clone(c.header)
				other[name] = string(turned)
				if signed(headers(other), []byte(c.body), []byte(c.secret)) && !isSame(name, value, string(turned)) {
					t.Errorf("%s: %s may be %q", c.forge, name, turned)
				}
			}
		}
		if signed(headers(nil), []byte(c.body), []byte(c.secret)) || signed(headers(c.header), []byte(c.body), []byte(c.secret+"x")) {
			t.Errorf("%s: holds without a signature, or with another secret", c.forge)
		}
		if _, err := forges[c.forge].Event(headers(c.header), []byte(c.body), nil); !errors.Is(err, hub.ErrForged) {
			t.Errorf("%s: without a secret: %v", c.forge, err)
		}
	}
}

// isSame reports whether two headers stand for the same bytes: hexadecimal has letters of two
// sizes, and the last letter of base64 has bits that do not count.
func isSame(name, a, b string) bool {
	switch name {
	case "webhook-signature":
		return len(a) == len(b) && a[:len(a)-2] == b[:len(b)-2] && b[len(b)-1] == '='
	case "webhook-id", "webhook-timestamp":
		return false
	}
	return strings.EqualFold(a, b) && strings.HasPrefix(a, "sha256=") == strings.HasPrefix(b, "sha256=")
}

// TestGitLabToken: a secret that is no signing token is sent as it is.
func TestGitLabToken(t *testing.T) {
	for token, want := range map[string]bool{"open sesame": true, "open sesam": false, "open sesamf": false, "": false} {
		if got := isSignedByGitLab(headers(map[string]string{"X-Gitlab-Token": token}), nil, []byte("open sesame")); got != want {
			t.Errorf("%q: %v", token, got)
		}
	}
	for _, secret := range []string{"whsec_", "whsec_%%%"} {
		header := headers(map[string]string{"X-Gitlab-Token": secret, "webhook-signature": "v1,"})
		if isSignedByGitLab(header, nil, []byte(secret)) {
			t.Errorf("%q is a key", secret)
		}
	}
}

// TestEvents reads parts of the payloads that the forges publish in their documentation.
func TestEvents(t *testing.T) {
	const secret = "s"
	sign := func(body string) string { return hex.EncodeToString(sum([]byte(secret), []byte(body))) }
	forges := hosts(t)
	for _, c := range []struct {
		forge, kind, body string
		want              hub.RepoRef
		err               error
	}{
		{"github", "push", `{"ref":"refs/heads/main","repository":{"id":1296269,"full_name":"octocat/Hello-World"}}`, hub.RepoRef{ID: "1296269", Name: "octocat/Hello-World"}, nil},
		{"github", "repository", `{"action":"renamed","repository":{"id":1296269,"full_name":"octocat/New"}}`, hub.RepoRef{ID: "1296269", Name: "octocat/New"}, nil},
		{"github", "issues", `{"repository":{"id":1296269}}`, hub.RepoRef{}, ErrIgnored},
		{"github", "push", `{}`, hub.RepoRef{}, ErrIgnored},
		{"gitlab", "Push Hook", `{"object_kind":"push","project_id":15,"project":{"id":15,"path_with_namespace":"mike/diaspora"},"repository":{"name":"Diaspora"}}`, hub.RepoRef{ID: "15", Name: "mike/diaspora"}, nil},
		{"gitlab", "Issue Hook", `{"project_id":15}`, hub.RepoRef{}, ErrIgnored},
		{"gitea", "push", `{"secret":"x","repository":{"id":140,"name":"webhooks","full_name":"gitea/webhooks"}}`, hub.RepoRef{ID: "140", Name: "gitea/webhooks"}, nil},
		{"bitbucket", "repo:push", `{"push":{"changes":[]},"repository":{"uuid":"{673a6070-3421-46c9-9d48-90745f7bfe8e}","full_name":"team_name/repo_name"}}`, hub.RepoRef{ID: "{673a6070-3421-46c9-9d48-90745f7bfe8e}", Name: "team_name/repo_name"}, nil},
		{"bitbucket", "pullrequest:created", `{}`, hub.RepoRef{}, ErrIgnored},
	} {
		header := headers(map[string]string{
			"X-GitHub-Event": c.kind, "X-Gitlab-Event": c.kind, "X-Gitea-Event": c.kind, "X-Event-Key": c.kind,
			"X-Hub-Signature-256": "sha256=" + sign(c.body), "X-Hub-Signature": "sha256=" + sign(c.body),
			"X-Gitea-Signature": sign(c.body), "X-Gitlab-Token": secret,
		})
		got, err := forges[c.forge].Event(header, []byte(c.body), []byte(secret))
		if c.err == nil {
			c.want.Forge = c.forge
		} else {
			got.Forge = ""
		}
		if diff := cmp.Diff(c.want, got); diff != "" || !errors.Is(err, c.err) {
			t.Errorf("%s %s: %v\n%s", c.forge, c.kind, err, diff)
		}
		for range 3 { // replayed
			if again, _ := forges[c.forge].Event(header, []byte(c.body), []byte(secret)); c.err == nil && again != got {
				t.Errorf("%s: the second time it is %v", c.forge, again)
			}
		}
	}
	large := strings.Repeat(" ", MaxBody+1)
	header := headers(map[string]string{"X-GitHub-Event": "push", "X-Hub-Signature-256": "sha256=" + sign(large)})
	if _, err := forges["github"].Event(header, []byte(large), []byte(secret)); !errors.Is(err, hub.ErrForged) {
		t.Errorf("a body over the limit: %v", err)
	}
	broken := `{"repository":`
	header = headers(map[string]string{"X-GitHub-Event": "push", "X-Hub-Signature-256": "sha256=" + sign(broken)})
	if _, err := forges["github"].Event(header, []byte(broken), []byte(secret)); err == nil || errors.Is(err, hub.ErrForged) {
		t.Errorf("a broken body: %v", err)
	}
}
