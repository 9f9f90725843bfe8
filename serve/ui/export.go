package ui

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"path/filepath"
	"time"

	"github.com/git-cortex/cortex/workspace"
)

// exported is the data of the file that is handed to a colleague.
type exported struct {
	Name, Branch, Version string
	Made                  time.Time
	Types                 []counted
	Entries               []workspace.Entry
	Briefing              string
	Style                 markup
	Script                markup
	Policy                string
}

// Export returns the memories of the first repository as one HTML file that needs
// no server and no network, and how many there are. What other programs may not see
// of a browser's files it does not ask for: its policy allows the style and the
// script within it, and nothing else.
func Export(ctx context.Context, host Host) (data []byte, n int, err error) {
	w, err := host.Open(ctx, host.Dirs[0])
	if err != nil {
		return nil, 0, err
	}
	defer func() { _ = w.Close() }() // without caches it only costs more
	view, err := w.View(ctx, workspace.ViewOptions{Local: true})
	if err != nil {
		return nil, 0, err
	}
	b, _, err := w.Brief(ctx, workspace.BriefOptions{View: workspace.ViewOptions{Local: true}})
	if err != nil {
		return nil, 0, err
	}
	style, err := assets.ReadFile("assets/style.css")
	if err != nil {
		return nil, 0, fmt.Errorf("reading the style: %w", err)
	}
	script, err := assets.ReadFile("assets/export.js")
	if err != nil {
		return nil, 0, fmt.Errorf("reading the script: %w", err)
	}
	entries := view.List(ctx, workspace.ListOptions{Code: true})
	types := map[string]int{}
	for i := range entries {
		types[string(entries[i].Memory.Type)]++
	}
	data, err = rendered("export", exported{
		Name: filepath.Base(w.Repo.Root), Branch: view.Branch, Version: host.Version, Made: host.Now(),
		Types:   counts(types),
		Entries: entries, Briefing: b.Text,
		Style: markup(style), Script: markup(script), // both are ours
		Policy: fmt.Sprintf("default-src 'none'; style-src '%s'; script-src '%s'; base-uri 'none'; form-action 'none'",
			digest(style), digest(script)),
	})
	return data, len(entries), err
}

// digest names a text in a Content Security Policy.
func digest(text []byte) string {
	sum := sha256.Sum256(text)
	return "sha256-" + base64.StdEncoding.EncodeToString(sum[:])
}
