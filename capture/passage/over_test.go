package passage

import (
	"strings"
	"testing"
	"time"
)

// TestOver: a list is named by what stands over it and tells what it is about, not by one of
// its items; where nothing does, or an item gives a reason, the item does.
func TestOver(t *testing.T) {
	items := "- tide rows in `tides`\n- ship rows in `ships`\n- lock rows in `locks`\n- light rows in `lights`\n"
	for _, x := range []struct{ md, want string }{
		{"## Tables of the harbour store\n\n" + items, "Tables of the harbour store"},
		{"# Moving the tide store to a new disk\n\n## Key files\n\n" + items, "Moving the tide store to a new disk"},
		{"# Tide store research report\n\n" + items, "Ship rows in `ships`"},
		{"## What changed\n\n" + items, "Ship rows in `ships`"},
		{"Arguments for a store of each harbour:\n" + items, "Arguments for a store of each harbour"},
		{"When a ship is late, the lock:\n" + items, "Ship rows in `ships`"},
		{"## Tables of the harbour store\n\n- tide rows are lost at night because the gauge sleeps\n- ships\n- locks\n- lights at the pier\n", "Tide rows are lost at night because the gauge sleeps"},
	} {
		p := Of(x.md, Handover, 0, time.Time{}, nil)[0]
		if got := p.Title(); got != x.want {
			t.Errorf("%q is titled %q, want %q", x.md, got, x.want)
		}
	}
}

// TestListsAreNamed: of two lists in one text each stands under what says what it lists.
func TestListsAreNamed(t *testing.T) {
	md := "## Always sent\n\n- the level of the `gauge`\n- the name of the harbour\n\n## Never sent (`src/harbour`)\n\n- the name of the ship\n- what it carries\n"
	want := "Always sent:\n- the level of the `gauge`\n- the name of the harbour\nNever sent:\n- the name of the ship\n- what it carries"
	if got := told(md); got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	md = "## Gauges\n\nEvery gauge sends its level once an hour.\n\n- the level in metres\n- the name of the harbour\n"
	if got := told(md); strings.Contains(got, "Gauges:") {
		t.Errorf("a list is named again below the sentence over it: %q", got)
	}
}

func told(md string) string { return Of(md, Handover, 0, time.Time{}, nil)[0].Told() }

// TestChecksAreNotTold: how the work was checked is no part of what it taught.
func TestChecksAreNotTold(t *testing.T) {
	md := "The gauge sleeps while the harbour is closed.\n\n**Verification:** a ship enters by day and by night.\n\n**Files**\n\n- `go test ./gauge` passed.\n- Run: https://ci.example/7\n- The lock never opens without a level.\n"
	want := "The gauge sleeps while the harbour is closed.\n- The lock never opens without a level."
	if got := told(md); got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	const gauge = "The gauge sleeps while the harbour is closed."
	for md, want := range map[string]string{
		"- " + gauge + "\n- Never open the lock until the gauge is green.\n":                  "- Never open the lock until the gauge is green.",
		"- " + gauge + "\n- Open the lock when the gauge is green.\n":                         "- Open the lock when the gauge is green.",
		"- " + gauge + "\n- The harbour office is at https://harbour.example/office\n":        "- The harbour office is at https://harbour.example/office",
		gauge + "\n\n**Tests:** they must never run beside a ship that is in the old lock.\n": "they must never run beside a ship that is in the old lock.",
	} {
		if got := told(md); !strings.HasSuffix(got, want) {
			t.Errorf("told %q of %q", got, md)
		}
	}
}

// TestRemarks: a short remark on what was said elsewhere is no part of what a text tells.
func TestRemarks(t *testing.T) {
	md := "That's the catch I meant. The gauge sleeps while the harbour is closed.\n\nThis is acceptable for now.\n\n1. KTD4. The lock never opens without a level, because `probe` asks for it every time.\n"
	want := "The gauge sleeps while the harbour is closed.\n- The lock never opens without a level, because `probe` asks for it every time."
	if got := told(md); got != want {
		t.Errorf("told %q, want %q", got, want)
	}
	if md = "This is acceptable for now."; told(md) != md {
		t.Errorf("nothing is left of %q", md)
	}
}
