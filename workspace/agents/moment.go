package agents

import (
	"context"
	"encoding/json"
	"errors"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/recipe"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/index/recall"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/projection"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/diary"
	"github.com/git-cortex/cortex/workspace/internal/hookstate"
)

// Bounds of what a moment takes from a session.
const (
	wordsTail   = 32 << 10  // bytes at the end of a transcript that are read for the agent's last words
	wordsSize   = 1200      // of those words, the last
	mostPresent = 256 << 10 // bytes of a file that a change is compared with
)

// toolCall is the call of a tool in the payload of a hook.
type toolCall struct {
	Command   string
	File      string
	Old, New  string // of an edit
	Content   string // of a file that is written
	Text      string
	Pattern   string // of a search
	Questions string
	Beside    []toolCall // changes of other files by the same patch
}

// callOf is the call that a payload names, in the words of whichever agent. Members of
// another type than they should have are passed over.
func callOf(input json.RawMessage) toolCall {
	var members map[string]json.RawMessage
	_ = json.Unmarshal(input, &members)
	first := func(names ...string) string {
		for _, name := range names {
			if text := textOf(members[name]); text != "" {
				return text
			}
		}
		return ""
	}
	c := toolCall{
		Command: first("command"),
		File:    first("file_path", "notebook_path", "path", "filePath"),
		Old:     first("old_string", "old_str", "oldString"),
		New:     first("new_string", "new_str", "newString"),
		Content: first("content", "file_text", "contents"),
		Text:    first("text"),
		Pattern: first("pattern"),
	}
	c.Questions = questionsOf(members["questions"])
	c.edit(members["edits"])
	c.unpatch(first("command", "input", "patch"))
	return c
}

// momentOf is the moment that a hook's payload speaks of. Its kind is "" where
// nothing is ever said.
func momentOf(event string, p *HookPayload, root string) recall.Moment {
	if event == "user-prompt-submit" {
		return recall.Moment{Kind: recall.Prompt, Prompt: p.Prompt}
	}
	m := momentOfCall(callOf(p.ToolInput), root)
	m.Tool = p.ToolName
	switch event {
	case "post-tool-use-failure":
		m.Kind, m.Error = recall.Error, p.failure()
	case "post-tool-use":
		m.Kind, m.Error = "", p.failed()
		if m.Error != "" {
			m.Kind = recall.Error
		}
	}
	if !listens(p, m.Kind) {
		m.Kind = ""
		return m
	}
	m.Triggers = triggersOf(p.ToolName, &m)
	m.Words, m.Prompt = lastWords(p.TranscriptPath)
	return m
}

// momentOfCall is the moment before a call is made, with those of the other files of a patch.
func momentOfCall(call toolCall, root string) recall.Moment {
	m := recall.Moment{
		New: call.New + call.Content, Old: call.Old,
		Command: call.Command, File: relativeTo(root, call.File),
		Input: strings.TrimSpace(call.Old + "\n" + call.New + "\n" + call.Content + "\n" + call.Text),
	}
	switch {
	case m.Command != "":
		m.Kind, m.Calls = recall.Command, recipe.Calls(m.Command)
	case call.Pattern != "":
		m.Kind, m.Search, m.File = recall.Search, sought(call.Pattern, m.File), ""
	case m.File != "":
		m.Kind = recall.File
		m.Present = func() string {
			present, _ := atomicfile.Read(filepath.Join(root, filepath.FromSlash(m.File)), mostPresent)
			return string(present)
		}
	case call.Questions != "":
		m.Kind, m.Question = recall.Question, call.Questions
	}
	for _, c := range call.Beside {
		m.Beside = append(m.Beside, momentOfCall(c, root))
	}
	return m
}

// failure returns the error of a failed call: the text of a JSON string, or any other
// JSON value as it stands.
func (p *HookPayload) failure() string {
	var text string
	if json.Unmarshal(p.Error, &text) == nil {
		return text
	}
	return string(p.Error)
}

// triggersOf are the triggers that recipes of this call and its error have.
func triggersOf(tool string, m *recall.Moment) []string {
	out := []string{memory.Trigger(memory.TriggerFile, m.File)}
	if ext := path.Ext(m.File); ext != "" {
		out = append(out, memory.Trigger(memory.TriggerFile, "*"+ext))
	}
	if m.Kind == recall.Error {
		out = append(out, lists.Map(Signatures(m.Error), func(s string) string {
			return memory.Trigger(memory.TriggerError, s)
		})...)
	}
	if m.Command != "" {
		out = append(out, commandTriggers(recipe.Head(m.Command), m.Kind != recall.Error)...)
	} else if m.Kind == recall.Error {
		out = append(out, memory.Trigger(memory.TriggerTool, tool))
	}
	return lists.Without(out, func(t string) bool { return t == "" })
}

// Signatures are the stable parts of an error, by which hubs and recipes know it.
func Signatures(text string) []string { return recipe.Keys(text) }

// commandTriggers are the triggers of recipes about a command: by its program and
// subcommand, and by its program alone, whatever it is to do, and before it also where a shell lacks it.
func commandTriggers(head string, before bool) []string {
	var out []string
	for head != "" {
		out = append(out, memory.Trigger(memory.TriggerCommand, head))
		shorter := head[:max(0, strings.LastIndexByte(head, ' '))]
		if shorter == "" && before {
			out = append(out, memory.Trigger(memory.TriggerError, recipe.Signature("command not found: "+head)))
		}
		head = shorter
	}
	return out
}

// relativeTo is a path below the top of the working tree as memories name it, and
// any other as it is.
func relativeTo(root, name string) string {
	if root != "" && filepath.IsAbs(name) {
		if rel, in := workspace.Below(root, name); in {
			name = rel
		}
	}
	return filepath.ToSlash(name)
}

// lastWords are the last words of the agent, and the last prompt of the user, in
// the end of a transcript. What cannot be read has none.
func lastWords(file string) (words, prompt string) {
	transcript.End(file, 0, wordsTail, func(e *transcript.Event) {
		switch e.Kind {
		case transcript.Text:
			words = e.Text
		case transcript.Prompt, transcript.Steer:
			prompt = e.Text
		}
	})
	return strings.ToValidUTF8(words[max(0, len(words)-wordsSize):], ""), prompt
}

// toolUsed says what an earlier session learned about the call that is about to
// be made, or that has failed.
func (h *hooks) toolUsed(ctx context.Context, event string, p HookPayload) ([]byte, error) {
	out, err := guarded(hookstate.Place{Worktree: h.w.Repo.Worktree()}, h.w.Diary, event, &p)
	if len(out) > 0 || err != nil {
		return out, err
	}
	m := momentOf(event, &p, h.w.Repo.Root)
	if m.Kind == "" || !h.w.Config.Recalls(string(m.Kind)) {
		return nil, nil
	}
	state := h.w.RecallState()
	v, err := h.w.View(ctx, workspace.ViewOptions{Soon: true, Folders: true})
	if err != nil {
		return nil, err
	}
	return h.recall(ctx, v, m, &p, state)
}

// QuickHook is [Hook] for the events of tool calls in the working tree that dir is
// in, and where an agent only asks whether it may sum up a session. It answers without git, and is not done where that
// is not possible or failed: then the event is one for Hook. Where making the table would be felt, it is silent.
func QuickHook(dir, event string, p HookPayload, now func() time.Time) (out []byte, done bool) {
	place, ok := hookstate.Find(dir)
	if !ok {
		return nil, false
	}
	if event == "pre-compact" {
		return nil, p.onlyAsks() && noteShrunk(place.Diary(now), &p) == nil
	}
	if out, err := guarded(place, place.Diary(now), event, &p); len(out) > 0 {
		return out, err == nil
	}
	return quickly(place, event, p, now)
}

// quickly answers a call of a tool from the table of a working tree.
func quickly(place hookstate.Place, event string, p HookPayload, now func() time.Time) (out []byte, done bool) {
	n := place.Open(now)
	if n == nil {
		return nil, place.Heavy()
	}
	defer n.Table.Close()
	m := momentOf(event, &p, n.Root)
	if m.Kind == "" || !n.Recalls(string(m.Kind)) {
		return nil, true
	}
	t := teller{diary: n.Diary, table: n.Table, root: n.Root, former: n.Former, ask: n.Recalls(workspace.AskMoment)}
	out, err := t.say(m, &p)
	return out, err == nil
}

// recall says what a moment calls for, unless this session was given it. State is
// that of before the view.
func (h *hooks) recall(ctx context.Context, v *workspace.View, m recall.Moment, p *HookPayload,
	state string,
) ([]byte, error) {
	table, err := h.table(ctx, v, state)
	if err != nil {
		return nil, err
	}
	defer table.Close()
	return (&teller{
		diary: h.w.Diary, table: table, root: h.w.Repo.Root, former: h.former, near: h.near, first: h.first,
		lead: h.lead, ask: workspace.Asks(h.w),
	}).say(m, p)
}

// table is the table of the memories in a view. State is that of before the view.
func (h *hooks) table(ctx context.Context, v *workspace.View, state string) (*recall.Table, error) {
	table, err := h.w.RecallTable(ctx, v)
	if err != nil {
		return nil, err
	}
	if err := h.w.KeepFresh(state, table); err != nil {
		h.w.Notice("%v", err)
	}
	return table, nil
}

// teller says what a table has for a moment.
type teller struct {
	diary  *diary.Diary
	table  *recall.Table
	root   string                   // of the working tree
	former func() map[string]string // present names of files by their earlier ones
	lead   lead                     // what is said ahead of all else
	first  []telling                // what is said whatever the table has, ahead of it
	near   map[memory.ID]float64    // factors of what is similar in meaning, nil for none
	ask    bool                     // the session may be asked what it settled
}

// say returns the output of the hook for a moment, nil for none. What the session was
// given before its context was summarised is given again, in few words.
func (t *teller) say(m recall.Moment, p *HookPayload) ([]byte, error) {
	noted := noteShrunk(t.diary, p)
	out, err := t.speak(m, p, t.tellings(m, p.SessionID))
	return out, errors.Join(noted, err)
}

// speak returns the output of the hook in which as many memories are named as there is room
// for, nil for none.
func (t *teller) speak(m recall.Moment, p *HookPayload, told []telling) ([]byte, error) {
	var lines []projection.Recalled
	for i := range told {
		lines = append(lines, told[i].line)
	}
	purse := lazy.Value(func() *diary.Purse { return t.diary.Purse(p.SessionID) })
	room := projection.HookBytes - len(t.lead.text)
	b := projection.RecallWithin(lines, room, func(i int) int { return purse().Allows(told[i].said) })
	still := t.stillSo(told, b.Shown)
	text, unasked := t.withQuestion(b.Text+still, m, p)
	if t.lead.text+text == "" {
		return nil, noteIn(t.diary, p, string(m.Kind), 0, nil)
	}
	if !t.diary.Speaks(p.SessionID, p.moment(m.Kind)) {
		return nil, nil // another hook of ours says it
	}
	var shown []diary.Item
	for i := range told {
		if slices.Contains(b.Shown, told[i].line.ID) {
			shown = append(shown, told[i].item)
		}
	}
	out, err := say(p, m.Kind, t.lead.text+text)
	if t.lead.text != "" {
		err = errors.Join(err, t.diary.NoteShown(p.SessionID, t.lead.note))
	}
	return out, errors.Join(unasked, err, noteIn(t.diary, p, string(m.Kind), b.Tokens+memory.Tokens(still), shown))
}

// telling is a memory to name at a moment.
type telling struct {
	line projection.Recalled
	item diary.Item // what would be evidence of its use
	said diary.Said
}

// tellings returns the memories to name at a moment, the strongest first.
func (t *teller) tellings(m recall.Moment, session string) []telling {
	out := slices.Clone(t.first)
	for _, hit := range t.hits(m, t.options(session, m.Kind)) { // what is met at an error is told there
		if m.Kind != recall.Error && t.hadItsTurn(session, &hit) {
			continue
		}
		item := itemOf(&memory.Memory{
			ID: hit.ID, Text: strings.Join(hit.Said, "\n"), Files: hit.Files,
			Triggers: hit.Triggers,
		})
		item.Note = hit.Noted
		out = append(out, telling{
			line: projection.Recalled{ID: hit.ID, Type: hit.Type, Line: hit.Line},
			item: item,
			said: diary.Said{Moment: string(m.Kind), Remedy: hit.Explains},
		})
	}
	return out
}

// hits are the memories that a moment calls for, of a patch those of the first of its files that
// calls for any. Where none is said a note may be quoted.
func (t *teller) hits(m recall.Moment, opt recall.Options) []recall.Hit {
	found := t.find(m, opt)
	for i := 0; len(found) == 0 && i < len(m.Beside); i++ {
		found = t.find(m.Beside[i], opt)
	}
	if slices.ContainsFunc(found, speaks) {
		return found
	}
	return append(found, t.quoted(m, opt)...)
}

func speaks(h recall.Hit) bool { return h.Speaks }

// quoted is the note that a moment names, if it is of a kind at which notes are quoted.
func (t *teller) quoted(m recall.Moment, opt recall.Options) []recall.Hit {
	if !recall.QuotesNotes(m.Kind) {
		return nil
	}
	opt.Notes, opt.Limit = true, 1
	return t.table.Notes().Find(m, opt)
}

// hadItsTurn reports whether a memory was shown often enough without a use, or is said as it is.
func (t *teller) hadItsTurn(session string, hit *recall.Hit) bool {
	return t.diary.Seen()(hit.ID).HadItsTurn() || t.isSaid(session, hit)
}

// isSaid reports whether a memory is said anyway, or the briefing has said the whole of it.
func (t *teller) isSaid(session string, hit *recall.Hit) bool {
	if len(hit.Line) <= projection.DoorLine && t.diary.Shown(session).Briefed[hit.ID] {
		return true
	}
	return slices.ContainsFunc(t.first, func(f telling) bool { return f.line.ID == hit.ID })
}
