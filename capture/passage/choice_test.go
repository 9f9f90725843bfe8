package passage

import (
	"testing"
	"time"
)

// TestChoice: a choice is told of in full with what was taken, over what, and why.
func TestChoice(t *testing.T) {
	for md, want := range map[string]string{
		"I looked at both.\n\nI chose SQLite over PostgreSQL because zero-config is critical.":                                           "I chose SQLite over PostgreSQL because zero-config is critical.",
		"We went with polling instead of an interrupt, since the new board is late.":                                                     "We went with polling instead of an interrupt, since the new board is late.",
		"We chose SOPS with age keys instead of Vault: there is no server to run.":                                                       "We chose SOPS with age keys instead of Vault: there is no server to run.",
		"I chose SOPS over Vault — the files stay in the repository.":                                                                    "I chose SOPS over Vault — the files stay in the repository.",
		"I chose two of the five over the others: SOPS, age.":                                                                            "",
		"Storage: I chose SQLite over PostgreSQL because zero-config is critical.":                                                       "Storage: I chose SQLite over PostgreSQL because zero-config is critical.",
		"Let's go with CSV, not xlsx: openpyxl would be our first dependency.":                                                           "Let's go with CSV, not xlsx: openpyxl would be our first dependency.",
		"Two things: I chose SOPS over Vault.":                                                                                           "",
		"I chose SQLite over PostgreSQL.":                                                                                                "",
		"I chose SQLite because zero-config is critical.":                                                                                "",
		"You chose SQLite over PostgreSQL because zero-config is critical.":                                                              "",
		"I went over the tables of the harbour.":                                                                                         "",
		"I chose the tide store over a table of its own because every harbour office already writes to it at night, and nobody reads it": "I chose the tide store over a table of its own because every harbour office already writes to it at night, and nobody reads it",
	} {
		got := ""
		for _, p := range Of(md, Handover, 0, time.Time{}, nil) {
			if c := p.Choice(); c != "" {
				got = c
			}
		}
		if got != want {
			t.Errorf("%q: %q, want %q", md, got, want)
		}
	}
}
