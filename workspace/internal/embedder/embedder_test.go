package embedder_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/workspace/internal/embedder"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// settingsOf writes lines into the configuration of a repository and reads them.
func settingsOf(t *testing.T, lines ...gitops.Setting) (embedder.Settings, []string) {
	t.Helper()
	w := workspacetest.New(t)
	if err := w.Repo.LocalConfig().Edit(t.Context(), lines...); err != nil {
		t.Fatal(err)
	}
	config, err := w.Repo.Config(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return embedder.Read(config)
}

// TestSettings: what is written is read again, and defaults leave no line.
func TestSettings(t *testing.T) {
	for _, s := range []embedder.Settings{
		{Wait: 200 * time.Millisecond},
		{Model: "static:/m", Wait: 200 * time.Millisecond},
		{
			Model: "https://e.example/v1", Name: "small", Key: "KEY", Wait: time.Second,
			Alpha: 0.25, Least: 0.125,
		},
	} {
		got, wrong := settingsOf(t, s.Lines()...)
		if diff := cmp.Diff(s, got); diff != "" || len(wrong) != 0 {
			t.Errorf("%q\n%s", wrong, diff)
		}
	}
}

func TestSettingsWrong(t *testing.T) {
	got, wrong := settingsOf(t,
		gitops.Setting{Key: embedder.ModelKey, Value: "static:/m"},
		gitops.Setting{Key: "cortex.embedWait", Value: "soon"},
		gitops.Setting{Key: "cortex.embedAlpha", Value: "NaN"}, gitops.Setting{Key: "cortex.embedLeast", Value: "-1"})
	if diff := cmp.Diff(embedder.Settings{Model: "static:/m", Wait: 200 * time.Millisecond}, got); diff != "" ||
		len(wrong) != 3 {
		t.Errorf("%q\n%s", wrong, diff)
	}
}

func TestOpenRefuses(t *testing.T) {
	for model, want := range map[string]string{
		"static:model":                 "not an absolute path",
		"ftp://e.example":              "neither",
		"http://e.example/v1":          "needs the name",
		"http://user:pw@localhost/v1/": "holds a password",
	} {
		_, err := embedder.Settings{Model: model}.Open(nil, nil)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", model, err)
		}
	}
}
