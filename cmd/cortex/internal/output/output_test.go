package output

import (
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/agents"
	"github.com/git-cortex/cortex/workspace/curate"
	"github.com/git-cortex/cortex/workspace/exchange"
	"github.com/git-cortex/cortex/workspace/explore"
	"github.com/git-cortex/cortex/workspace/imports"
	"github.com/git-cortex/cortex/workspace/purge"
	"github.com/git-cortex/cortex/workspace/reset"
	"github.com/git-cortex/cortex/workspace/review"
	"github.com/git-cortex/cortex/workspace/setup"
)

func clock() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

// memoryOf is a memory with a title.
func memoryOf(title string) *memory.Memory {
	m := memory.New(memory.Decision, title, "Because the quay is narrow.", clock().AddDate(0, 0, -3))
	m.Source = memory.Source{Agent: memory.Human, Origin: memory.OriginPerson}
	m.Confidence = 1
	return m
}

// entryOf is a memory at a stage.
func entryOf(title string, stage index.Stage) workspace.Entry {
	return workspace.Entry{Memory: memoryOf(title), Item: index.Item{
		Path: ".cortex/memories/decision/2026-11/x.md", Stage: stage, Status: memory.StatusActive, Branch: "main", Effective: 0.9,
	}}
}

// TestOutput: what each function prints has these passages, and not those.
func TestOutput(t *testing.T) {
	landed, pending := entryOf("Gauges report in litres", index.Landed), entryOf("Charts are drawn at noon", index.Pending)
	stale, superseded := entryOf("Locks open inwards", index.Landed), entryOf("Locks open outwards", index.Landed)
	stale.Stale, superseded.Status = true, memory.StatusSuperseded
	apart, own := entryOf("Pumps stop at night", index.Landed), entryOf("Write short sentences", index.Global)
	apart.Apart = true
	for name, tt := range map[string]struct {
		print func(p *console.Printer)
		has   []string
		lacks []string
	}{
		"no entries": {
			func(p *console.Printer) { _ = Entries(p, nil, nil, false, true) },
			[]string{"No memories in this view."},
			nil,
		},
		"no match": {
			func(p *console.Printer) { _ = Entries(p, nil, nil, false, false) },
			[]string{"No memory of this view matches."},
			nil,
		},
		"entries": {
			func(p *console.Printer) {
				_ = Entries(p, []workspace.Entry{landed, pending, stale, superseded, apart, own}, nil, false, true)
			},
			[]string{"Gauges report in litres", "+ ", "~ ", "- ", "? ", "* ", "decision", "2026-11-17"},
			[]string{"< "},
		},
		"received entries": {
			func(p *console.Printer) {
				_ = Entries(p, []workspace.Entry{pending}, workspace.Marks{string(pending.Memory.ID): true}, true, true)
			},
			[]string{"< "},
			[]string{"+ "},
		},
		"status of none": {
			func(p *console.Printer) { Status(p, &workspace.Status{Root: "/p"}, clock()) },
			[]string{"not set up (run cortex init)", "(no branch)", "0 memories"},
			[]string{"hooks"},
		},
		"status of a bare repository": {
			func(p *console.Printer) { Status(p, &workspace.Status{}, clock()) },
			[]string{"(there is no working tree)"},
			nil,
		},
		"status": {
			func(p *console.Printer) {
				Status(p, &workspace.Status{
					Root: "/p", Branch: "main", Enabled: true, Landed: 2, Pending: 1, Global: 1, Sessions: 3, Land: "commit",
					Unsent: map[string]int{"origin": 2}, Hooks: map[string]bool{"pre-commit": true}, HooksBy: "config", Drivers: map[string]bool{"memory": false},
					Similar: workspace.Unconsolidated{New: 12, Due: 1}, Problems: []string{"a page is behind"},
					Curation: &workspace.CurationStatus{Command: "claude -p", Today: 1, Daily: 12, Last: "2026-11-20T10:00:00Z"},
				}, clock())
			},
			[]string{
				"set up, on main", "2 memories", "2 changes not sent to origin", "12 new memories", "in git's configuration",
				"by claude, 1 worksheet today of at most 12, the last 2 hours ago", "! a page is behind", "for details: cortex doctor",
			},
			nil,
		},
		"checks": {
			func(p *console.Printer) {
				Checks(p, []workspace.Check{
					{Name: "hooks", OK: true, Note: "by husky"},
					{Name: "index", OK: true},
					{Name: "pages", Wrong: "one is behind", Hint: "cortex project\nor wait"},
					{Name: "drivers", Wrong: "none", Fixed: true, Did: "wrote them"},
				}, false, false)
			},
			[]string{"ok    hooks  by husky", "wrong pages: one is behind", "      cortex project", "      or wait", "fixed drivers: none", "      wrote them", "2 checks found nothing."},
			[]string{"ok    index"},
		},
		"checks that found nothing": {
			func(p *console.Printer) { Checks(p, []workspace.Check{{Name: "index", OK: true}}, true, false) },
			[]string{"ok    index", "No problems found by 1 check."},
			nil,
		},
		"recalled nothing": {
			func(p *console.Printer) {
				Recalled(p, &agents.Recalled{Moment: recall.Prompt, Off: true, Spent: true}, false, false)
			},
			[]string{"Hooks keep quiet", "This session is told no more", "A hook would say nothing. To see what came close: --explain"},
			nil,
		},
		"recalled": {
			func(p *console.Printer) {
				Recalled(p, &agents.Recalled{
					Moment: recall.Prompt, Threshold: 0.5, Limit: 3, Left: agents.LeftOut{Superseded: 2},
					Memories: []recall.Hit{{ID: landed.Memory.ID, Type: memory.Decision, Score: 0.8, Speaks: true, Line: "Gauges report in litres"}},
				}, true, false)
			},
			[]string{"said from 0.50 on, at most 3", "Gauges report in litres", "Not considered: 2 superseded"},
			[]string{"say nothing"},
		},
		"remembered": {
			func(p *console.Printer) { _ = Remembered(p, workspace.Remembered{Entry: landed}, false) },
			[]string{"Remembered", "Gauges report in litres", "not staged: commit it when you like"},
			nil,
		},
		"remembered, and waiting": {
			func(p *console.Printer) {
				_ = Remembered(p, workspace.Remembered{Entry: pending, Presumes: true}, false)
			},
			[]string{"it would replace what a person wrote"},
			[]string{"not staged"},
		},
		"known already": {
			func(p *console.Printer) { _ = Remembered(p, workspace.Remembered{Entry: landed, Known: true}, false) },
			[]string{"Already known:"},
			[]string{"not staged"},
		},
		"stats of nothing": {
			func(p *console.Printer) { RecallStats(p, &explore.RecallStats{}, false) },
			[]string{"Hooks have shown nothing in this clone yet."},
			[]string{"moment"},
		},
		"stats": {
			func(p *console.Printer) {
				RecallStats(p, &explore.RecallStats{
					Guards: []explore.GuardStats{{Name: "pnpm-not-npm-0gt40bv", Spoke: 1}},
					Known:  3, Sessions: 2, MedianTokens: 120,
					Moments:  []explore.MomentStats{{Moment: "prompt", Asked: 4, Spoke: 1, Quiet: 0.75, Memories: 1, Tokens: 40}, {Moment: "error"}},
					Memories: []explore.MemoryStats{{ID: landed.Memory.ID, Title: "Gauges report in litres", Shown: 2, Used: 1, Brief: 1}, {ID: stale.Memory.ID}},
				}, false)
			},
			[]string{"Guard pnpm-not-npm-0gt40bv: spoke 1 time.", "moment", "75 %", "120 tokens a session (median of 2 sessions)", "in 1 briefing", "(not in this view)", "and 1 memory more"},
			nil,
		},
		"project": {
			func(p *console.Printer) {
				ProjectStats(p, &explore.ProjectStats{
					Sessions: 4, Turns: 30, Captured: []explore.LayerCount{{Layer: "tag", Memories: 3, Landed: 2}}, Contradictions: 1,
					Briefing: explore.BriefStats{Given: 2, Tokens: 900, Share: 0.0045, Window: 200000}, Plans: explore.PlanStats{All: 2, Finished: 1, Steps: 6, Done: 4},
				})
			},
			[]string{"4", "900", "tag"},
			nil,
		},
		"synced": {
			func(p *console.Printer) {
				Synced(p, &exchange.Result{
					Remote: "origin", Received: exchange.Tally{Added: []string{"pending/main/decision/2026-11/x-abcdefg.md"}, Sessions: 1},
					Refused: []gitops.Refusal{{Path: "pending/x", Reason: "outside of the grammar"}}, HeldBack: []exchange.HeldBack{{Path: "pending/y", Kind: "token"}},
				}, false, false)
			},
			[]string{"origin", "outside of the grammar", "token"},
			nil,
		},
		"removal": {
			func(p *console.Printer) { Removal(p, &exchange.MassRemoval{}) }, []string{"remove"}, nil,
		},
		"purged nothing": {
			func(p *console.Printer) { Places(p, &purge.Places{}); Purged(p, &purge.Places{}) }, []string{"Nothing"}, nil,
		},
		"reset": {
			func(p *console.Printer) {
				Reset(p, reset.Done{Snapshot: "refs/cortex/snapshots/1", Pending: 2, Landed: 1, Kept: 1}, false)
			},
			[]string{"refs/cortex/snapshots/1", "2"},
			nil,
		},
		"imported": {
			func(p *console.Printer) {
				Import(p, p, imports.Result{Documents: 3, Added: 2, Known: 1, Skipped: []index.Problem{{Path: "notes.jsonl", Line: 4, Text: "not a JSON object"}}}, Imported{})
			},
			[]string{"notes.jsonl:4", "not a JSON object", "2"},
			nil,
		},
		"rendered": {
			func(p *console.Printer) {
				Rendered(p, []workspace.Page{{Path: "decisions.md", Current: true}}, "branch", false)
			},
			[]string{"current   decisions.md"},
			nil,
		},
		"curated": {
			func(p *console.Printer) {
				Curated(p, &curate.Outcome{
					Sheet: &curate.Sheet{ID: "0123456789abcdef", More: true}, Added: []*memory.Memory{landed.Memory}, Became: 2, Left: 1,
					Dropped: []curate.Dropped{{ID: string(stale.Memory.ID), Reason: "said twice"}}, Refused: []curate.Refused{{Title: "A tide", Reason: "it cites no evidence"}},
					Waits: []curate.Refused{{Title: "A lock", Reason: "4 land already"}}, Unkeyed: []curate.Refused{{Title: "A pump", Reason: "git: it is run all the time"}},
					Pairs: []curate.Pair{{ID: "k7q2m9x", Other: "3mfw0c1", Is: "contradicts", Reason: "noon or midnight"}},
				}, false)
			},
			[]string{"Gauges report in litres", "it cites no evidence", "k7q2m9x, 3mfw0c1: noon or midnight", "1 left, 1 contradiction noted for review, 1 refused"},
			nil,
		},
		"changes of a briefing": {
			func(p *console.Printer) { BriefingChanges(p, &explore.BriefingChanges{}) }, []string{"The briefing says the same as then."}, nil,
		},
		"log": {
			func(p *console.Printer) { Log(p, nil, nil); Log(p, nil, &landed) }, []string{"No history yet.", "human"}, nil,
		},
		"topics": {
			func(p *console.Printer) {
				Topics(p, []explore.SessionTopic{{Session: "a-1", Agent: "claude-code", Name: "gauges", Summary: []string{"why do they sleep", "they are polled"}}})
			},
			[]string{"gauges"},
			nil,
		},
		"pending": {
			func(p *console.Printer) {
				Pending(p, []review.Item{{Entry: pending, Why: "it lands with your next commit"}}, 10)
			},
			[]string{"Charts are drawn at noon", "it lands with your next commit"},
			nil,
		},
		"removed": {
			func(p *console.Printer) {
				Removed(p, []workspace.Entry{landed}, false)
				Numbered(p, []workspace.Entry{landed})
			},
			[]string{"Gauges report in litres"},
			nil,
		},
		"steps": {
			func(p *console.Printer) {
				Steps(p, []setup.Step{{Path: ".gitattributes", Action: "changed", What: "merge drivers"}}, true)
			},
			[]string{".gitattributes", "merge drivers"},
			nil,
		},
		"answer": {
			func(p *console.Printer) { Hits(p, &workspace.Answer{}, clock(), false, false) }, []string{"Nothing found for", "cortex list"}, nil,
		},
		"sessions": {
			func(p *console.Printer) { Sessions(p, nil) }, []string{"In session records (a note", "nothing"}, nil,
		},
	} {
		t.Run(name, func(t *testing.T) {
			var b strings.Builder
			tt.print(&console.Printer{Out: &b, Whole: true, Width: 100})
			got := b.String()
			for _, want := range tt.has {
				if !strings.Contains(got, want) {
					t.Errorf("%q is not in\n%s", want, got)
				}
			}
			for _, no := range tt.lacks {
				if strings.Contains(got, no) {
					t.Errorf("%q is in\n%s", no, got)
				}
			}
		})
	}
}

// TestWords: what is said of a landing, of times and of sources.
func TestWords(t *testing.T) {
	landed := entryOf("Gauges report in litres", index.Landed)
	for got, want := range map[string]string{
		Ago(90 * time.Minute): "hour", Ago(40 * 24 * time.Hour): "day", Milliseconds(12.4): "ms", Milliseconds(2400): "s",
		strings.Join(Landed(&workspace.Landing{Landed: []workspace.Entry{landed}, Waiting: 2}), "\n"): "1 memory",
		strings.Join(Landed(&workspace.Landing{NoRoom: 2}), "\n"):                                     "did not fit", Record(2, 1): "2",
		Source(landed): "", Landing("manual"): "", strings.Join(Facts(landed, clock()), "; "): "", GoneBranch(workspace.GoneBranch{Branch: "topic"}): "topic",
		Found(nil): "", Failure(gitops.ErrNoRevision): "",
	} {
		if got == "" || !strings.Contains(got, want) {
			t.Errorf("%q does not say %q", got, want)
		}
	}
}
