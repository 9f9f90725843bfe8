package capture

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/memory"
)

// TestChoice: the number, letter or name of an option stands for its text, however
// and in whatever language it is picked.
func TestChoice(t *testing.T) {
	const numbered = "Two ways:\n\n1. Move the limits to a file\n2. Keep the table and bound it\n3. Read them at each start\n\nWhich one?"
	const lettered = "**Option A: one queue for all tenants**\n\nSimple, but one of them starves the rest.\n\n**Option B: a queue for each tenant**\n\n" +
		"Costs one goroutine each.\n\n## My recommendation\n\nOption A.\n\nShall I go on with A?"
	const listed = "- A) keep the lock file\n- B) ask the kernel for the lock\n"
	const bound, each, file = "Keep the table and bound it", "a queue for each tenant", "Move the limits to a file"
	for _, x := range []struct{ said, offered, choice, rest string }{
		{"2", numbered, bound, ""},
		{"option 2, but log it", numbered, bound, "but log it"},
		{"go for option 1, and test it", numbered, file, "and test it"},
		{"3 is better, implement it", numbered, "Read them at each start", "implement it"},
		{"I'd pick the second one", numbered, bound, ""},
		{"ok, do the second", numbered, bound, ""},
		{"go with the second", numbered, bound, ""},
		{"is it 2 or more", numbered, "", ""},
		{"better look again", numbered, "", ""},
		{"9", numbered, "", ""},
		{"yes", numbered, "", ""},
		{"do a", numbered, "", ""}, // as much a slip as a choice
		{"1 or 2", numbered, "", ""},
		{"yes, do B", lettered, each, ""},
		{"I like Option B", lettered, each, ""},
		{"B, but with a bound of 16", lettered, each, "but with a bound of 16"},
		{"the second one please", lettered, each, ""},
		{"A", lettered, "one queue for all tenants", ""},
		{"ja, nimm B", lettered, each, ""},
		{"Nehmen wir die zweite Variante", lettered, each, ""},
		{"sí, la segunda opción", lettered, each, ""},
		{"vamos con B, pero con límite", lettered, each, "pero con límite"},
		{"oui, prends la deuxième", lettered, each, ""},
		{"b", listed, "ask the kernel for the lock", ""},
		{"plan B fails at night", lettered, "", ""},
	} {
		choice, rest := choiceOf(x.said, x.offered)
		if choice.label != x.choice || rest != x.rest {
			t.Errorf("%q chooses %q and says %q, want %q and %q", x.said, choice.label, rest, x.choice, x.rest)
		}
	}
}

// TestChoiceJoined: what the user picks becomes a decision that says what was
// decided, and against what; a pick from a list of jobs decides nothing.
func TestChoiceJoined(t *testing.T) {
	offer := "The mail worker drops messages under load.\n\n**Option A — retry in memory**\n\nLost at a restart.\n\n" +
		"**Option B — spool to disk (as the relay does)**\n\nSurvives a restart, costs an fsync for each message.\n\nWhich one shall I build for the mail worker?"
	for _, said := range []string{"yes, do B", "I like Option B", "go with the second", "ja, nimm B", "sí, la segunda"} {
		got := kept(t, conversation("fix the mail worker", offer, said, "On it."))
		if len(got) != 1 {
			t.Fatalf("%q keeps %d memories, want 1: %v", said, len(got), got)
		}
		m := got[0]
		if m.Type != memory.Decision || !strings.Contains(m.Title, "spool to disk") {
			t.Errorf("%q becomes %s %q, want a decision with the option's words", said, m.Type, m.Title)
		}
		for _, w := range []string{"Survives a restart", "etry in memory", "mail worker"} {
			if !strings.Contains(m.Text, w) {
				t.Errorf("%q: the text lacks %q: %s", said, w, m.Text)
			}
		}
	}
	for _, menu := range []string{
		"| # | Title |\n|---|---|\n| 1 | Remove the old gateway |\n| 2 | Fix rename on SMB |\n\nReply with a number to view details.",
		"Done. What would you like to do?\n\n1. Merge back to main locally\n2. Push and create a pull request\n3. Keep the branch as it is\n\nWhich option?",
	} {
		if got := kept(t, conversation("what is left", menu, "2", "Here it is.")); len(got) != 0 {
			t.Errorf("a pick of a job is kept: %q", got[0].Title)
		}
	}
}

// conversation is a session of words alone: the user's and the agent's in turn.
func conversation(said ...string) []byte {
	var parts []string
	for i, s := range said {
		parts = append(parts, []string{"user", "agent"}[i%2], s)
	}
	return sessionOf(parts...)
}

func kept(t *testing.T, data []byte) []*memory.Memory {
	t.Helper()
	return capture(t, data, Options{}).held()
}

// TestObjection: a question with which the user objects to what the agent does is a note,
// with what the agent answered; a question about how something works is not kept.
func TestObjection(t *testing.T) {
	const reply = "Good point. The poller stays as it is, and the station is asked for the missing day."
	res := capture(t, conversation("make the poller of the gauge robust", "I rewrite the poller of the gauge now.",
		"Why is the poller being rewritten, rather than asking the station for the missing day?", reply), Options{})
	got := res.held()
	if len(res.Memories()) != 0 || len(got) != 1 || got[0].Type != memory.Preference || !strings.Contains(got[0].Title, "rather than asking the station") ||
		!strings.Contains(got[0].Text, "The agent: Good point. The poller stays") {
		t.Errorf("kept %+v", got)
	}
	if got := kept(t, conversation("make the poller robust", "I look at the poller now.", "Why doesn't the poller work at night?", "It has no light.")); len(got) != 0 {
		t.Errorf("a question: %+v", got)
	}
}

// TestStatementsOfUser: each rule of a message is a memory of its own, and no memory begins with what was said before it.
func TestStatementsOfUser(t *testing.T) {
	for said, want := range map[string][]string{
		"Never push to the tide branch. Always run the gauges in UTC before you commit.": {
			"Never push to the tide branch\n", "Always run the gauges in UTC before you commit\n",
		},
		"Two rules hold here:\n- Always run `make tide` before you commit\n- Never log the harbour's address": {
			"Always run `make tide` before you commit\n", "Never log the harbour's address\n",
		},
		"The gauge is slow today. We chose a ring over a list because readings come in bursts. Nothing else reads them.": {
			"We chose a ring over a list because readings come in bursts\n" +
				"We chose a ring over a list because readings come in bursts. Nothing else reads them.",
		},
		"We decided to keep the readings in a ring because two piers write them.": {
			"We decided to keep the readings in a ring because two piers write them\n",
		},
		"Let's go with CSV and semicolons, not a workbook: the harbour's reader takes nothing else.": {
			"Let's go with CSV and semicolons, not a workbook: the harbour's reader takes nothing else\n",
		},
		"Good. From now on always keep levels as whole millimetres.": {
			"From now on always keep levels as whole millimetres\n",
		},
		"I like short answers. Always write tide times as ISO 8601.": {
			"Always write tide times as ISO 8601\n",
		},
		"We decided it. The gauge is slow because it sleeps.":                nil,
		"Say the same of the colours that we use because the chart is pale.": nil,
		"Never write to the live gauge. It floods the harbour.": {
			"Never write to the live gauge\nNever write to the live gauge. It floods the harbour.",
		},
	} {
		var got []string
		for _, m := range kept(t, conversation(said, "Understood.")) {
			got = append(got, m.Title+"\n"+m.Text)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", said, diff)
		}
	}
}

// TestChoiceOfAgent: a choice that the agent tells of begins with the choice.
func TestChoiceOfAgent(t *testing.T) {
	got := kept(t, conversation("Which store?", "I measured it. I chose SQLite over files because the gauge has one disk. It is in `store.go`."))
	if len(got) != 1 || got[0].Text != "I chose SQLite over files because the gauge has one disk. It is in `store.go`." {
		t.Errorf("%+v", got)
	}
}

// TestChoiceInLanguages: what a user says they chose, over what and why, is a decision in each language that is known.
func TestChoiceInLanguages(t *testing.T) {
	for _, said := range []string{
		"Wir nehmen Caddy statt nginx, weil es die Zertifikate selbst erneuert.",
		"Wir haben uns für Zig anstelle von C entschieden, denn der Zeiger hing.",
		"On a choisi Caddy au lieu de nginx parce qu'il renouvelle les certificats.",
		"Nous préférons un fichier plutôt qu'une base, car il n'y a qu'un poste.",
		"Escogimos Caddy en lugar de nginx porque renueva los certificados.",
		"Preferimos un archivo en vez de la base, ya que hay un solo puesto.",
		"Decidimos usar Caddy em vez do nginx porque renova os certificados.",
		"Ficamos com um arquivo em vez da base, pois só há um posto.",
		"我们选了 Caddy 而不是 nginx，因为它会自动更新证书。",
		"日志采用文件而非数据库，由于只有一个窗口。",
		"nginx ではなく Caddy を使います。証明書を自動で更新するからです。",
		"データベースの代わりにファイルを選びました。窓口が一つのためです。",
	} {
		got := kept(t, conversation("Go on.", "Fine.", said, "Fine."))
		if len(got) != 1 || got[0].Type != memory.Decision || strings.HasSuffix(got[0].Title, "…") {
			t.Errorf("%s: %+v", said, got)
		}
	}
	for _, said := range []string{"Nimm Caddy.", "nginx ist langsam, weil es alt ist.", "Pourquoi Caddy au lieu de nginx ?", "nginx ではなく Caddy。"} {
		if got := kept(t, conversation("Go on.", "Fine.", said, "Fine.")); len(got) != 0 {
			t.Errorf("%s: %q is kept", said, got[0].Title)
		}
	}
}
