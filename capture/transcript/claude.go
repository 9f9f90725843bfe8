package transcript

import (
	"hash/maphash"
	"slices"
	"strings"
	"time"
)

// claude reads the JSONL sessions of Claude Code, versions 2.0 to 2.1.283. The
// format is declared internal and changes without notice, so every field is
// optional here. Its traps: compaction writes records again, with their old
// uuids; the lines of subagents stand among the others; words that a user types
// while the agent works are queued, and come back as a prompt or as an
// attachment; and much of what a user record holds was put there by the harness.
type claude struct {
	seed   maphash.Seed
	seen   map[uint64]struct{} // uuids: compaction writes preserved records again
	queued []queued            // typed while the agent worked, not yet delivered
	last   string              // the last such words delivered
	side   bool                // the transcript is a subagent's own
}

type queued struct {
	text   string
	record int
}

func newClaude(id *Identity) adapter {
	return &claude{seed: maphash.MakeSeed(), seen: map[uint64]struct{}{}, side: id.Subagent}
}

// claudeRecord is one line, its parts still raw.
type claudeRecord struct {
	typ, subtype              string
	uuid, timestamp           []byte
	message, content          []byte
	toolUseResult, attachment []byte
	cwd, branch, session      []byte
	origin, planContent       []byte
	operation, title          []byte
	meta, side, compact, api  bool
}

// isClaude recognises a line by the fields every version writes.
func isClaude(line []byte) bool {
	hits := 0
	typ := ""
	eachField(line, func(key string, val []byte) bool {
		switch key {
		case "parentUuid", "isSidechain", "userType", "sessionId", "leafUuid", "messageId", "isSnapshotUpdate":
			hits++
		case "type":
			typ = text(val)
		}
		return hits < 3 || typ == ""
	})
	switch typ {
	case "user", "assistant", "system", "attachment", "progress":
		return hits >= 2
	case "summary", "file-history-snapshot", "queue-operation":
		return hits >= 1
	}
	return false
}

func decodeClaude(line []byte) (rec claudeRecord, ok bool) {
	var typ, subtype, meta, hidden, side, compact, api []byte
	ok = members(
		line,
		member{"type", &typ},
		member{"subtype", &subtype},
		member{"uuid", &rec.uuid},
		member{"timestamp", &rec.timestamp},
		member{"message", &rec.message},
		member{"content", &rec.content},
		member{"toolUseResult", &rec.toolUseResult},
		member{"attachment", &rec.attachment},
		member{"cwd", &rec.cwd},
		member{"gitBranch", &rec.branch},
		member{"sessionId", &rec.session},
		member{"origin", &rec.origin},
		member{"planContent", &rec.planContent},
		member{"operation", &rec.operation},
		member{"customTitle", &rec.title},
		member{"aiTitle", &rec.title},
		member{"summary", &rec.title},
		member{"isMeta", &meta},
		member{"isVisibleInTranscriptOnly", &hidden},
		member{"isSidechain", &side},
		member{"isCompactSummary", &compact},
		member{"isApiErrorMessage", &api},
	)
	rec.typ, rec.subtype = text(typ), text(subtype)
	rec.meta = isTrue(meta) || isTrue(hidden)
	rec.side, rec.compact, rec.api = isTrue(side), isTrue(compact), isTrue(api)
	return rec, ok
}

func (c *claude) line(number int, line []byte, stats *Stats, emit func(*Event)) {
	rec, ok := decodeClaude(line)
	if !ok {
		stats.BadLines++
		return
	}
	e := Event{Kind: Meta, Record: number}
	switch rec.typ {
	case "user", "assistant", "system", "attachment":
		c.message(&rec, &e, stats, emit)
	case "queue-operation":
		e.Time = parseTime(text(rec.timestamp))
		c.queue(&rec, &e, emit)
	case "summary", "custom-title", "ai-title":
		e.Kind, e.Text = Title, text(rec.title)
		emit(&e)
	case "progress", "file-history-snapshot", "file-history-delta", "last-prompt", "mode", "permission-mode",
		"agent-name", "pr-link", "frame-link", "worktree-state", "relocated", "bridge-session", "tag":
	default:
		stats.unknown(rec.typ)
	}
}

// message reads a line of the conversation.
func (c *claude) message(rec *claudeRecord, e *Event, stats *Stats, emit func(*Event)) {
	if rec.side && !c.side || c.repeated(rec.uuid) {
		return
	}
	e.Time = parseTime(text(rec.timestamp))
	e.Session, e.Cwd, e.Branch = text(rec.session), text(rec.cwd), branchOf(text(rec.branch))
	switch rec.typ {
	case "user":
		c.user(rec, e, stats, emit)
	case "assistant":
		c.assistant(rec, e, stats, emit)
	case "system":
		if rec.subtype == "compact_boundary" {
			e.Kind = Compaction
			emit(e)
		}
	default:
		c.attached(rec.attachment, e, emit)
	}
}

// branchOf is the branch of a record, "" where none was checked out.
func branchOf(name string) string {
	if name == "HEAD" {
		return ""
	}
	return name
}

// attached reads an attachment: words that were typed in mid-turn, or what the harness put
// there.
func (c *claude) attached(raw []byte, e *Event, emit func(*Event)) {
	if text(field(raw, "type")) == "queued_command" && human(field(raw, "origin")) {
		c.steer(text(field(raw, "prompt")), e, emit)
		return
	}
	e.Kind, e.heard = Brought, raw
	emit(e)
}

// repeated reports whether a record of this uuid has been read already.
func (c *claude) repeated(uuid []byte) bool {
	if len(uuid) < 3 {
		return false
	}
	h := maphash.Bytes(c.seed, uuid)
	if _, ok := c.seen[h]; ok {
		return true
	}
	c.seen[h] = struct{}{}
	return false
}

// human reports whether an origin is a person's, which an absent one is.
func human(origin []byte) bool {
	k := text(field(origin, "kind"))
	return k == "" || k == "human"
}

func (c *claude) assistant(rec *claudeRecord, e *Event, stats *Stats, emit func(*Event)) {
	model := text(field(rec.message, "model"))
	if rec.api || model == "<synthetic>" {
		return
	}
	e.Model = model
	content := field(rec.message, "content")
	if isString(content) {
		e.Kind, e.Text = Text, text(content)
		emit(e)
		return
	}
	if content == nil {
		stats.unknown("assistant without content")
	}
	said := false
	eachElem(content, func(raw []byte) bool {
		ev := *e
		if ev.block(raw, stats) {
			said = true
			emit(&ev)
		}
		return true
	})
	if !said {
		emit(e)
	}
}

// block reads a block of a message of the agent. It reports whether that is words or a call.
func (e *Event) block(raw []byte, stats *Stats) bool {
	var typ, words, id, name, input []byte
	members(
		raw,
		member{"type", &typ},
		member{"text", &words},
		member{"id", &id},
		member{"name", &name},
		member{"input", &input},
	)
	switch string(typ) {
	case `"text"`:
		e.Kind, e.Text = Text, text(words)
	case `"tool_use"`:
		e.Kind, e.ID, e.Name = Call, text(id), text(name)
		e.Tool, e.input = toolOf(ClaudeCode, e.Name, input)
	default:
		knownBlock(text(typ), stats)
		return false
	}
	return true
}

// knownBlock counts a block of a message whose type is not known.
func knownBlock(typ string, stats *Stats) {
	switch typ {
	case "thinking", "redacted_thinking", "image", "document", "fallback", "search_result", "server_tool_use",
		"web_search_tool_result", "web_fetch_tool_result", "code_execution_tool_result", "mcp_tool_use",
		"mcp_tool_result", "tool_reference", "container_upload":
	default:
		stats.unknown("content " + typ)
	}
}

func (c *claude) user(rec *claudeRecord, e *Event, stats *Stats, emit func(*Event)) {
	content := field(rec.message, "content")
	e.heard = content
	switch {
	case rec.compact:
		e.Kind, e.Text = Compaction, summary(content)
		emit(e)
	case rec.meta:
		e.Kind = Brought
		emit(e)
	case isString(content):
		c.words(content, rec, e, emit)
	case content == nil:
		stats.unknown("user without content")
	default:
		c.blocks(content, rec, e, stats, emit)
	}
}

// words reads what a user record says in one text.
func (c *claude) words(content []byte, rec *claudeRecord, e *Event, emit func(*Event)) {
	if words := notified(content); words != "" {
		e.Kind, e.Text = Report, words
		emit(e)
		return
	}
	if human(rec.origin) {
		c.prompt(text(content), text(rec.planContent), e, emit)
	}
}

// blocks reads the blocks of a user record: texts, and the results of calls.
func (c *claude) blocks(content []byte, rec *claudeRecord, e *Event, stats *Stats, emit func(*Event)) {
	var words []string
	eachElem(content, func(block []byte) bool {
		switch typ := text(field(block, "type")); typ {
		case "text":
			words = append(words, text(field(block, "text")))
		case "tool_result":
			c.result(block, rec.toolUseResult, *e, emit)
		default:
			knownBlock(typ, stats)
		}
		return true
	})
	if len(words) > 0 && human(rec.origin) {
		c.prompt(strings.Join(words, "\n\n"), text(rec.planContent), e, emit)
	}
}

// prompt sorts what stands in a user record into what the user typed and what
// the harness put there.
func (c *claude) prompt(raw, plan string, e *Event, emit func(*Event)) {
	words, command := typed(raw)
	switch {
	case strings.HasPrefix(words, "[Request interrupted by user"):
		e.Kind = Interrupt
	case strings.HasPrefix(words, "This session is being continued from a previous conversation"):
		e.Kind = Compaction
	case plan != "":
		e.Kind, e.Text = Plan, withoutHint(plan)
	case strings.HasPrefix(words, "Implement the following plan:"):
		e.Kind, e.Text = Plan, withoutHint(strings.TrimPrefix(words, "Implement the following plan:"))
	case words == "" && command == "":
		e.Kind = Brought
	default:
		e.Kind, e.Text, e.Command = Prompt, words, command
	}
	emit(e)
}

// withoutHint is a plan without what the harness adds below it: where the session that
// made the plan can be read.
func withoutHint(plan string) string {
	plan, _, _ = strings.Cut(plan, "\n\nIf you need specific details from before exiting plan mode")
	return strings.TrimSpace(plan)
}

// queue follows the words that were typed while the agent was busy: dequeued
// ones come back as a prompt, removed ones were handed over in mid-turn. What a person
// typed is handed over before what tasks in the background report, wherever it stands.
func (c *claude) queue(rec *claudeRecord, e *Event, emit func(*Event)) {
	operation := text(rec.operation)
	if operation == "enqueue" {
		if len(c.queued) < maxQueued {
			c.queued = append(c.queued, queued{text: text(rec.content), record: e.Record})
		}
		return
	}
	if len(c.queued) == 0 {
		return
	}
	switch operation {
	case "dequeue":
		c.queued = c.queued[1:]
	case "remove":
		i := max(0, slices.IndexFunc(c.queued, queued.typed))
		q := c.queued[i]
		c.queued = slices.Delete(c.queued, i, i+1)
		e.Record = q.record
		c.steer(q.text, e, emit)
	case "popAll":
		c.queued = nil
	}
}

// maxQueued bounds what is waiting.
const maxQueued = 100

// typed reports whether a person typed it.
func (q queued) typed() bool {
	return !strings.HasPrefix(q.text, "{") && !strings.HasPrefix(q.text, "<task-notification>")
}

func (c *claude) steer(raw string, e *Event, emit func(*Event)) {
	words, command := typed(raw)
	if words == "" || words == c.last || isHarness(words) {
		return
	}
	c.last = words
	e.Kind, e.Text, e.Command = Steer, words, command
	emit(e)
}

// isHarness reports whether words in mid-turn are those of the harness.
func isHarness(words string) bool {
	return strings.HasPrefix(words, "{") || strings.HasPrefix(words, "[Request interrupted")
}

func parseTime(s string) time.Time {
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		return time.Time{}
	}
	return t.UTC()
}
