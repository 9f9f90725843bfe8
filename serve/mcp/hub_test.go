package mcp

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/gitops/user"
	"github.com/git-cortex/cortex/hub/client"
)

// TestScopeHub: a search has a scope only where a hub is set, and brings nothing suspicious.
func TestScopeHub(t *testing.T) {
	in := searchArguments{Query: "uploads", Where: "hub"}
	if _, ok := searchInput(false)["properties"].(schema)["scope"]; ok {
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
	if _, ok := searchInput(true)["properties"].(schema)["scope"]; !ok {
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
