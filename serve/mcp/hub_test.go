package mcp

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/gitops/user"
	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/workspace/agents"
)

// TestScopeHub: a search has a scope only where a hub is set, and brings nothing suspicious.
func TestScopeHub(t *testing.T) {
	in := searchArguments{Query: "uploads", Where: "hub"}
	if _, ok := scoped(input[searchArguments](), false)["properties"].(schema)["scope"]; ok {
		t.Error("the schema speaks of a hub where none is set")
	}
	_, err := newServer(Host{}).searchHub(context.Background(), in)
	if err == nil || !strings.Contains(err.Error(), `unknown field "scope"`) {
		t.Errorf("without a hub: %v", err)
	}
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = w.Write([]byte(`{"query":"uploads","results":[{"id":"1"},{"id":"2","flags":["instruction"]}]}`))
	}))
	defer web.Close()
	base, err := client.Address(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(Host{Hub: client.At(base, "", user.Login{User: "alice", Secret: "pw"})})
	if _, ok := scoped(input[searchArguments](), true)["properties"].(schema)["scope"]; !ok {
		t.Error("the schema does not speak of the hub")
	}
	out, err := s.searchHub(t.Context(), in)
	a, ok := out.(*client.Answer)
	if err != nil || !ok || len(a.Results) != 1 || a.Results[0].ID != "1" || a.Flagged != 1 {
		t.Errorf("found %+v, %v", out, err)
	}
	if _, err := s.searchHub(t.Context(), searchArguments{Query: "uploads", Where: "all"}); err == nil {
		t.Error("another scope is taken")
	}
}

// TestShowAndRecallHub: what a search in the scope hub found is read there, and an error asked after, but for what is
// suspicious.
func TestShowAndRecallHub(t *testing.T) {
	sent := map[string]string{
		"/v1/memory/k7q2m9x": `{"id":"1","text":"use gmake"}`,
		"/v1/memory/2222222": `{"id":"2","text":"x","flags":["instruction"]}`,
		"/v1/memory/3333333": `{"id":"3","text":"` + strings.Repeat("x", maxText+1) + `"}`,
		"/v1/who":            `{"met_in":2,"results":[{"id":"1"},{"id":"2","flags":["instruction"]}]}`,
	}
	asked := ""
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		asked = string(body)
		_, _ = w.Write([]byte(sent[r.URL.Path]))
	}))
	defer web.Close()
	base, err := client.Address(web.URL)
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(Host{Hub: client.At(base, "", user.Login{User: "alice", Secret: "pw"})})
	for id, want := range map[string]bool{"k7q2m9x": true, "2222222": false, "3333333": false, "": false} {
		if _, err := s.showHub(t.Context(), showArguments{ID: id, Where: "hub"}); (err == nil) != want {
			t.Errorf("%q: %v", id, err)
		}
	}
	failed := "make: *** cannot open '/home/ann/secret-plan.mk': missing separator"
	out, err := s.recallHub(t.Context(), recallArguments{Asked: agents.Asked{Error: failed}, Where: "hub"})
	if met, ok := out.(*client.Met); err != nil || !ok || met.MetIn != 2 || len(met.Results) != 1 || met.Flagged != 1 {
		t.Errorf("found %+v, %v", out, err)
	}
	if strings.Contains(asked, "secret-plan") || !strings.Contains(asked, "missing separator") {
		t.Errorf("the hub was told %s", asked)
	}
	both := recallArguments{Asked: agents.Asked{Error: failed, Command: "make"}, Where: "hub"}
	if _, err := s.recallHub(t.Context(), both); err == nil {
		t.Error("a command is taken")
	}
}
