package setup

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/capture/transcript"
)

// TestTrust: what agents note about whom a person trusts is read as they do.
func TestTrust(t *testing.T) {
	root := filepath.Join(t.TempDir(), "work", "p")
	above := filepath.Dir(root)
	quoted, quotedAbove := quoteJSON(root), quoteJSON(above)
	hooks := quoteJSON(filepath.Join(root, ".codex", "hooks.json") + ":stop:0:0")
	for _, c := range []struct {
		agent, file, text string
		want              bool
	}{
		{
			transcript.ClaudeCode, ".claude.json", `{"projects": {` + quoted + `: {"hasTrustDialogAccepted": true}}}`,
			true,
		},
		{
			transcript.ClaudeCode, ".claude.json",
			`{"projects": {` + quoted + `: {}, ` + quotedAbove + `: {"hasTrustDialogAccepted": true}}}`, true,
		},
		{
			transcript.ClaudeCode, ".claude.json", `{"projects": {` + quoted + `: {"hasTrustDialogAccepted": false}}}`,
			false,
		},
		{transcript.ClaudeCode, ".claude.json", `{`, false},
		{
			transcript.Codex, ".codex/config.toml",
			"[projects." + quoted + "]\ntrust_level = \"trusted\"\n[hooks.state." + hooks +
				"]\ntrusted_hash = \"sha256:1\"\n", true,
		},
		{transcript.Codex, ".codex/config.toml", "[projects." + quoted + "]\ntrust_level = \"trusted\"\n", false},
		{transcript.Codex, ".codex/config.toml", "[projects." + quoted + "]\ntrust_level =" +
			" \"untrusted\"\n[hooks.state." + hooks + "]\ntrusted_hash = \"sha256:1\"\n", false},
		{transcript.Codex, ".codex/config.toml", "hooks = 1", false},
		{transcript.Gemini, ".gemini/trustedFolders.json", `{` + quoted + `: "TRUST_FOLDER"}`, true},
		{
			transcript.Gemini, ".gemini/trustedFolders.json",
			`{` + quotedAbove + `: "TRUST_FOLDER", ` + quoted + `: "DO_NOT_TRUST"}`, false,
		},
		{transcript.Copilot, ".copilot/config.json", "// managed\n{\"trustedFolders\": [" + quotedAbove + "]}", true},
		{transcript.Copilot, ".copilot/config.json", `{"trusted_folders": ["/elsewhere"]}`, false},
		{transcript.Cursor, ".cursor/none.json", `{}`, false},
	} {
		home := Home{Dir: t.TempDir()}
		file := filepath.Join(home.Dir, filepath.FromSlash(c.file))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if home.trusts(c.agent, root) {
			t.Errorf("%s: trusted without a word", c.agent)
		}
		if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := home.trusts(c.agent, root); got != c.want {
			t.Errorf("%s, %s: %v", c.agent, c.text, got)
		}
	}
	if (Home{}).trusts(transcript.ClaudeCode, root) {
		t.Error("trusted without a home")
	}
}

// TestCheckSaysTrust: an agent that does not run its hooks yet is named with what to do, and
// no word is said of one that is known to run them.
func TestCheckSaysTrust(t *testing.T) {
	c := newClone(t, nil)
	c.do(Init, options())
	opt := options()
	opt.Home.Dir = t.TempDir()
	note := func() string {
		checks, err := Check(t.Context(), c.open(), opt, false)
		if err != nil {
			t.Fatal(err)
		}
		for _, check := range checks {
			if check.Name == "claude-code hooks" {
				return check.Hint
			}
		}
		t.Fatal("no such check")
		return ""
	}
	if got := note(); !strings.Contains(got, "once you have trusted this folder") {
		t.Errorf("%q", got)
	}
	text := `{"projects": {` + quoteJSON(filepath.ToSlash(c.open().Repo.Root)) + `: {"hasTrustDialogAccepted": true}}}`
	if err := os.WriteFile(filepath.Join(opt.Home.Dir, ".claude.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := note(); got != "" {
		t.Errorf("%q", got)
	}
}
