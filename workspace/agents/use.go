package agents

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/diary"
)

// Evidence that a memory was used after a session was shown it.
const (
	usedFile    = "file"         // a file that it is about was opened or changed
	usedCommand = "command"      // a command that it advises was run
	usedSpared  = "not repeated" // the call that had failed was not made again in the same way
	usedNamed   = "named"        // the agent named it by its id
)

// Bounds of what is kept of a memory to find evidence of its use by.
const (
	itemFiles    = 8
	itemCommands = 6
)

// Bounds of what of a turn is compared with them.
const (
	maxCalls   = 2000
	callText   = 64 << 10 // of what the agent wrote
	minSpanned = 2        // words of a command in a memory's text
)

// itemOf is a memory that is shown, with what would be evidence of its use.
func itemOf(m *memory.Memory) diary.Item {
	var commands []string
	files := append(lists.Map(m.Anchors, func(a memory.Anchor) string { return a.Path }), m.Files...)
	calling := m.TriggersOf(memory.TriggerCommand) // what it is shown at is no advice of it
	calling = append(calling, lists.Map(m.TriggersOf(memory.TriggerBefore), recipe.Head)...)
	for _, span := range codeSpans(m.Title + "\n" + m.Text) {
		if head := commandIn(span); !slices.Contains(calling, head) {
			commands = append(commands, head)
		}
	}
	return diary.Item{ID: m.ID, Files: firstOf(files, itemFiles), Commands: firstOf(commands, itemCommands)}
}

// firstOf are the first n different texts of a list that are not empty.
func firstOf(list []string, n int) []string {
	texts := lists.Unique(lists.Where(list, func(s string) bool { return s != "" }))
	return texts[:min(n, len(texts))]
}

// codeSpans are the pieces of a text between backticks on one line.
func codeSpans(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		parts := strings.Split(line, "`")
		for i := 1; i+1 < len(parts); i += 2 {
			out = append(out, parts[i])
		}
	}
	return out
}

// commandIn is how a piece of code begins that looks like a command line: a program
// in lower case and at least one more word.
func commandIn(span string) string {
	words := strings.Fields(span)
	if len(words) < minSpanned || strings.ToLower(words[0]) != words[0] ||
		strings.ContainsAny(words[0], "(){}[]<>\"'=;:,") {
		return ""
	}
	return recipe.Head(span)
}

// callKey tells calls apart that a session makes: a command line, or a file with
// what an edit of it looks for.
func callKey(command, file, old string) string {
	if command == "" && file == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(strings.TrimSpace(command) + "\x00" + file + "\x00" + old))
	return hex.EncodeToString(sum[:6])
}

// sizeOf is the size of a transcript, 0 when it cannot be told.
func sizeOf(path string) int64 {
	if !filepath.IsAbs(path) {
		return 0
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}

// itemsIn are memories of a view by their ids, without what only their texts say.
func itemsIn(ctx context.Context, w *workspace.Workspace, v *workspace.View, ids []memory.ID) []diary.Item {
	heads := make(map[memory.ID]*memory.Memory, len(ids))
	for _, id := range ids {
		heads[id] = &memory.Memory{ID: id} // one that cannot be read was shown all the same
	}
	for i := range v.Items {
		if _, wanted := heads[v.ID(i)]; !wanted {
			continue
		}
		if m, ok := w.Index.Catalog().HeadOf(ctx, &v.Items[i]); ok {
			heads[v.ID(i)] = m
		}
	}
	return lists.Map(ids, func(id memory.ID) diary.Item { return itemOf(heads[id]) })
}

// madeCall is a call that a session made, as far as it can be evidence.
type madeCall struct {
	offset int64
	id     string
	key    string
	file   string
	head   string
	line   string
}

// watch gathers what a session does after it was shown memories. The nil watch
// gathers nothing.
type watch struct {
	shown []diary.Showing
	calls []madeCall
	named map[memory.ID]int64 // where the agent last named it
	wrote int
}

// watchFor is the watch over a session; nil when it was shown nothing whose use is
// still to be found.
func watchFor(w *workspace.Workspace, session string) *watch {
	shown := w.Diary.Unused(session)
	if len(shown) == 0 {
		return nil
	}
	return &watch{shown: shown, named: map[memory.ID]int64{}}
}

// event takes in what happened.
func (x *watch) event(e *transcript.Event) {
	if e.Subagent != "" {
		return // it was shown nothing
	}
	switch e.Kind {
	case transcript.Call:
		if len(x.calls) == maxCalls {
			return
		}
		c := madeCall{offset: e.Offset, id: e.ID, line: e.Shell(), file: filepath.ToSlash(e.Path())}
		c.key, c.head = callKey(c.line, e.Path(), e.Replaced()), recipe.Head(c.line)
		x.calls = append(x.calls, c)
	case transcript.Text:
		if x.wrote += len(e.Text); x.wrote <= callText {
			x.names(e.Text, e.Offset)
		}
	}
}

// names notes which of the memories a text names. To say that one is superseded is no use of it.
func (x *watch) names(text string, offset int64) {
	for _, s := range x.shown {
		for _, it := range s.Items {
			if id := it.ID.Short(); strings.Contains(strings.ReplaceAll(text, "supersedes "+id, ""), id) {
				x.named[it.ID] = offset
			}
		}
	}
}

// used are the memories whose use is evident, by the moment at which each was shown
// last.
func (x *watch) used() map[string][]diary.Item {
	if x == nil {
		return nil
	}
	out := map[string][]diary.Item{}
	done := map[memory.ID]bool{}
	for _, s := range slices.Backward(x.shown) {
		for _, it := range s.Items {
			if by := x.evidence(&s, &it); by != "" && !done[it.ID] {
				done[it.ID] = true
				out[s.Moment] = append(out[s.Moment], diary.Item{ID: it.ID, By: by, Note: it.Note})
			}
		}
	}
	return out
}

// evidence returns the kind of evidence that a memory was used after a moment, such
// as usedFile; "" if there is none.
func (x *watch) evidence(s *diary.Showing, it *diary.Item) string {
	if x.namedAfter(s, it.ID) {
		return usedNamed
	}
	others, isRepeated := x.callsAfter(s)
	it = x.withoutHabits(it, s)
	for _, c := range others {
		if by := c.uses(it, s.Moment); by != "" {
			return by
		}
	}
	isSpared := len(others) > 0 && !isRepeated
	if isSpared && isOfFailedCall(s) {
		return usedSpared
	}
	return ""
}

// withoutHabits is a memory without the commands that a session ran before a moment already: to run
// one again is no use of what was told there.
func (x *watch) withoutHabits(it *diary.Item, s *diary.Showing) *diary.Item {
	out := *it
	out.Commands = lists.Without(it.Commands, func(head string) bool {
		return slices.ContainsFunc(x.calls, func(c madeCall) bool { return c.head == head && c.offset < s.Offset })
	})
	return &out
}

// namedAfter reports whether the agent named a memory after a moment.
func (x *watch) namedAfter(s *diary.Showing, id memory.ID) bool {
	at, ok := x.named[id]
	return ok && at >= s.Offset
}

// isOfFailedCall reports whether a moment is about a call that failed and that can be told again.
func isOfFailedCall(s *diary.Showing) bool { return s.Moment == momentError && s.Key != "" }

// callsAfter are the calls that were made after a moment, without the one that it is about, and
// whether that one was made again.
func (x *watch) callsAfter(s *diary.Showing) (others []*madeCall, isRepeated bool) {
	for i := range x.calls {
		c := &x.calls[i]
		switch {
		case !c.after(s):
		case c.repeats(s):
			isRepeated = true
		default:
			others = append(others, c)
		}
	}
	return others, isRepeated
}

// repeats reports whether a call is the one that a moment is about, made again.
func (c *madeCall) repeats(s *diary.Showing) bool { return c.key != "" && c.key == s.Key }

// after reports whether a call was made after a moment, and is not the one that it is about.
func (c *madeCall) after(s *diary.Showing) bool {
	return c.offset >= s.Offset && (c.id == "" || c.id != s.Call)
}

// uses returns the kind of evidence that a call gives of a memory that was shown at a
// moment; "" for none. What is told of a file that is opened anyway is no evidence.
func (c *madeCall) uses(it *diary.Item, moment string) string {
	if strings.Contains(c.line, it.ID.Short()) {
		return usedNamed
	}
	if slices.Contains(it.Commands, c.head) {
		return usedCommand
	}
	if moment == momentFile {
		return ""
	}
	if slices.ContainsFunc(it.Files, func(f string) bool { return sameFile(c.file, f) }) {
		return usedFile
	}
	return ""
}

// sameFile reports whether a path, absolute or not, is that of a file of the
// repository.
func sameFile(path, file string) bool {
	return path == file || strings.HasSuffix(path, "/"+file)
}

// noteUse writes down what a session used of what it was shown, and adds up what
// came of all of it.
func (x *capturer) noteUse(w *watch, session string) {
	for moment, items := range w.used() {
		if err := x.w.Diary.NoteUsed(session, moment, items); err != nil {
			x.w.Notice("%v", err)
			continue
		}
		told := lists.Where(items, func(it diary.Item) bool { return !it.Note })
		x.w.Diary.NoteRecalls(lists.Map(told, func(it diary.Item) memory.ID { return it.ID }))
	}
	if err := x.w.Diary.Count(session); err != nil {
		x.w.Notice("adding up what was shown: %v", err)
	}
}
