package prose

import "testing"

func TestWithTables(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{
			"decisions with reasons",
			"What we settled:\n\n| # | Topic | Choice | Why |\n|---|:--|---|---|\n| 1 | Storage | segment files | A backup is one copy. |\n| 2 | **Dates** | UTC | Gauges report in UTC |\n| 3 | Cache | - | |\n",
			"What we settled:\n\n\n- **Storage**: segment files, because a backup is one copy.\n- **Dates**: UTC, because Gauges report in UTC.\n\n",
		},
		{
			"options with a verdict",
			"| Option | Cost | Verdict | Reason |\n| --- | --- | --- | --- |\n| SQLite | low | rejected | It needs thirty modules |\n| `a|b` | high | chosen | |\n",
			"\n- **SQLite**: rejected; Cost: low, because it needs thirty modules.\n- **`a|b`**: chosen; Cost: high.\n\n",
		},
		{
			"German",
			"| Thema | Entscheidung | Begründung |\n|---|---|---|\n| Ablage | Segmente | Sicherung ist eine Kopie |\n",
			"\n- **Ablage**: Segmente; Begründung: Sicherung ist eine Kopie.\n\n",
		},
		{"figures", "| File | Lines |\n|---|---|\n| a.go | 12 |\n", "| File | Lines |\n|---|---|\n| a.go | 12 |\n"},
		{
			"in a fence", "```\n| Topic | Why |\n|---|---|\n| a | b |\n```\n",
			"```\n| Topic | Why |\n|---|---|\n| a | b |\n```\n",
		},
		{"no table", "a | b -- c\nd | why\n", "a | b -- c\nd | why\n"},
		{"only a header", "| Topic | Why |\n|---|---|\n", "| Topic | Why |\n|---|---|\n"},
	} {
		if got := WithTables(c.in); got != c.want {
			t.Errorf("%s: got\n%q, want\n%q", c.name, got, c.want)
		}
		if again := WithTables(WithTables(c.in)); again != WithTables(c.in) {
			t.Errorf("%s: what has been turned is turned again: %q", c.name, again)
		}
	}
}
