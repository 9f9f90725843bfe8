package purge

import (
	"bytes"
	"context"
	"path"

	"github.com/git-cortex/cortex/capture/redact"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/facts"
)

// Personal says what a file of this clone holds of people: how much of each kind, never the text.
type Personal struct {
	Kind  Kind           `json:"kind"`
	Path  string         `json:"path"` // in the working tree, the journal or the cache folder
	ID    memory.ID      `json:"id,omitempty"`
	Found map[string]int `json:"found"` // name, email, phone, card, iban, address: how often
	Purge string         `json:"purge"` // the command that says how it goes
}

// Survey finds what the present files of Cortex in a clone hold of people: memories, notes and session
// records, copies of what was forgotten, and what was told. People are who wrote the newest
// commits, and whoever is called by a usual given name. It changes nothing. Histories, where
// [Find] looks for one text, are left out, and so are indexes, which are made of the others.
func Survey(ctx context.Context, w *workspace.Workspace) ([]Personal, error) {
	p, out, authors := &Places{pattern: patternOf(nil)}, []Personal{}, facts.People(ctx, w.Repo)
	err := p.each(ctx, w, func(kind Kind, at string, data []byte) {
		found := ofPeople(data, authors)
		if len(found) == 0 {
			return
		}
		if kind == File {
			at = path.Join(workspace.Dir, at)
		}
		one := Personal{Kind: kind, Path: at, Found: found, Purge: "cortex purge TEXT"}
		if m, err := memory.Parse(at, data); err == nil {
			one.ID, one.Purge = m.ID, "cortex purge "+m.ID.Short()
		}
		out = append(out, one)
	})
	return out, err
}

// ofPeople counts what a text holds of people, by kind; nothing in what is no text.
func ofPeople(data []byte, authors []string) map[string]int {
	found := map[string]int{}
	if bytes.IndexByte(data, 0) >= 0 {
		return found
	}
	for _, x := range redact.Personal(string(data)) {
		found[x.Kind]++
	}
	for range memory.People(string(data), authors...) {
		found["name"]++
	}
	return found
}
