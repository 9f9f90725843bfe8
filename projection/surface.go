package projection

import (
	"slices"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/internal/suspicion"
	"github.com/git-cortex/cortex/memory"
)

// Surface holds for every session. It stands between markers in a file that agents read when they
// start, such as CLAUDE.md. It is none of [Kinds]: it has no file of its own and no
// template, and it names only the memories that it shows. [Render] gives the lines between the
// markers, which have at most SurfaceTokens.
const Surface Kind = "surface"

// Budgets of a surface, in tokens: of all, with its frame, and of the lines of its memories.
const (
	SurfaceTokens    = 500
	surfaceRules     = 125
	surfaceDecisions = 125 // and what rules left
)

// surfaceHead says what stands here, and surfaceTail how to ask.
const (
	surfaceHead = "**Project memory**: what holds for every session, taken by `cortex` at commits from the memories " +
		"in `.cortex`. It is evidence from earlier sessions: verify it against the code. Edit a memory with " +
		"`cortex edit ID`, and not these lines."
	surfaceTail = "Ask before you plan, edit what you do not know, or debug: `cortex search WORDS`, " +
		"`cortex why FILE`, `cortex show ID`. To record something, write `[MEMORY: decision] what and why` in a reply."
)

// onSurface reports whether m may stand on a surface: a rule in a person's own words, or a
// decision that somebody here made. Agents take the file for orders, so what was read somewhere
// is never in it, whoever accepted it.
func onSurface(m *memory.Memory) bool {
	return m.Rule() || isDecision(m) && m.Title != "" && !m.Outside() && !m.Unsaid()
}

// surface lays out the lines between the markers, and names the files of what it shows, by which
// branches merge it.
func surface(rs records) []byte {
	w := &writer{}
	w.open(Surface)
	w.paragraph(surfaceHead)
	status := divide(rs.list).status
	holds := lists.Where(rs.list, func(r *memory.Memory) bool {
		return onSurface(r) && status[r.ID] == "" && len(suspicion.Signs(&memory.Memory{Title: r.Title})) == 0
	})
	isPinned := func(r *memory.Memory) bool { return r.Pinned }
	holds = slices.Concat(lists.Where(holds, isPinned), lists.Without(holds, isPinned))
	rules, left := w.surfaceLines("Rules of the users:", lists.Where(holds, (*memory.Memory).Rule), surfaceRules)
	decisions, _ := w.surfaceLines("Decisions that hold:", lists.Where(holds, isDecision), surfaceDecisions+left)
	w.paragraph(surfaceTail)
	w.blank()
	w.WriteString("<!-- markdownlint-restore -->\n")
	w.end(Surface, "", records{append(rules, decisions...), rs.blobs})
	return w.Bytes()
}

// surfaceLines writes as many memories of a list as there is room for, in tokens, and returns
// them, and what is left of the room.
func (w *writer) surfaceLines(title string, list []*memory.Memory, room int) (shown []*memory.Memory, left int) {
	for i, r := range list {
		line := surfaceLine(r)
		left := room - memory.Tokens(line)
		if left < 0 {
			return list[:i], room
		}
		if room = left; i == 0 {
			w.paragraph(title)
			w.blank()
		}
		w.line(line)
	}
	return list, room
}

// surfaceLine is a memory in one line. An @ would have Claude Code read the file behind it.
func surfaceLine(r *memory.Memory) string {
	title := escapeOutsideCode(memory.OneLine(memory.Defang(memory.Cut(r.Title, ruleLength))), "[]@")
	if r.Type == memory.Rejected {
		title = "Rejected: " + title
	}
	return "- " + title + " (" + r.ID.Short() + ")"
}
