package curate

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/grounding"
)

// Settings say whether a command of the user's reads worksheets by itself. They
// come from the user's git configuration; no file of the repository can set any:
//
//	cortex.llm           command line; reads a worksheet on standard input, writes the answer
//	cortex.llmTimeout    seconds it may take (120, at most 600)
//	cortex.llmInterval   minutes between two worksheets of one session (15, at least 1)
//	cortex.llmDaily      worksheets within a day (12, at most 200)
type Settings struct {
	Command  string // "" when nothing reads by itself
	Timeout  time.Duration
	Interval time.Duration
	Daily    int
}

const (
	defaultTimeout  = 120 * time.Second
	mostTimeout     = 600 * time.Second
	defaultInterval = 15 * time.Minute
	mostInterval    = 30 * 24 * time.Hour
	defaultDaily    = 12
	mostDaily       = 200
)

// SettingsOf reads the settings. What is not a number in range counts as unset.
func SettingsOf(ctx context.Context, w *workspace.Workspace) Settings {
	git, err := w.Repo.Settings(ctx)
	if err != nil {
		return Settings{Timeout: defaultTimeout, Interval: defaultInterval, Daily: defaultDaily}
	}
	timeout := time.Duration(positive(git.Value("cortex.llmtimeout"))) * time.Second
	interval := time.Duration(positive(git.Value("cortex.llminterval"))) * time.Minute
	return Settings{
		Command:  git.Value("cortex.llm"),
		Timeout:  min(cmp.Or(timeout, defaultTimeout), mostTimeout),
		Interval: min(cmp.Or(interval, defaultInterval), mostInterval),
		Daily:    min(cmp.Or(positive(git.Value("cortex.llmdaily")), defaultDaily), mostDaily),
	}
}

// positive is the positive number that a setting holds; 0 for none.
func positive(value string) int {
	n, err := strconv.Atoi(value)
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// StatusOf says what waits for a reader, and how much the user's command has read; nil if nothing
// waits and there is no command.
func StatusOf(ctx context.Context, w *workspace.Workspace) *workspace.CurationStatus {
	s := SettingsOf(ctx, w)
	out := &workspace.CurationStatus{Command: s.Command, Daily: s.Daily, Tokens: w.Diary.SheetTokens()}
	waiting, err := Waiting(ctx, w)
	if err != nil {
		w.Notice("counting what waits for wording: %v", err)
	}
	if out.Waiting = waiting; s.Command == "" && waiting == 0 {
		return nil
	}
	today, last := w.Diary.Runs()
	if out.Today = today; !last.IsZero() {
		out.Last = last.Format(time.RFC3339)
	}
	return out
}

// Due reports whether the user's command should now read a session of this clone:
// there is one, the event is one that ends an answer or the session, and neither
// this session was read within the interval (a fifth of it when the session ends),
// nor another run may still be under way, nor the day's number is used up. It
// notes the run that is to follow.
func Due(ctx context.Context, w *workspace.Workspace, event, session string) bool {
	often := map[string]time.Duration{"stop": 1, "session-end": 5}[event] // an interval
	if often == 0 || session == "" {
		return false
	}
	enabled, _ := w.Enabled(ctx) // of an error, the hook itself speaks
	s := SettingsOf(ctx, w)
	if !enabled || s.Command == "" {
		return false
	}
	return w.Diary.BeginRun(session, s.Interval/often, 2*s.Timeout, s.Daily)
}

// Command is one call of the user's command.
type Command struct {
	Line    string
	Input   string // for its standard input
	Timeout time.Duration
	Limit   int // bytes of its output that are read
}

// ErrNoCommand is returned by [Run] where no command is set.
var ErrNoCommand = errors.New("no command is set as cortex.llm")

// Run lets the user's command, which call starts, read one worksheet, and applies
// its answer. If some of it is refused, the command is called once more, with the
// reasons, and what it mended counts besides what had passed.
func Run(ctx context.Context, w *workspace.Workspace, opt Options,
	call func(context.Context, Command) ([]byte, error),
) (*Outcome, error) {
	s := SettingsOf(ctx, w)
	if s.Command == "" {
		return nil, ErrNoCommand
	}
	opt.compared = comparedTokens
	sheet, err := Next(ctx, w, opt)
	if err != nil {
		return nil, err
	}
	w.Diary.NoteSheet(sheet.Tokens)
	command := Command{Line: s.Command, Input: sheet.Text(), Timeout: s.Timeout, Limit: AnswerBytes + 1}
	reply, err := call(ctx, command)
	if err != nil {
		return nil, err
	}
	answer, refused, err := review(ctx, w, sheet, reply)
	if err != nil || len(refused) == 0 {
		return apply(ctx, w, reply, sheet.ID)
	}
	// Names that were misspelt and lines that were not cited are soon mended.
	command.Input = sheet.again(reply, refused)
	w.Diary.NoteSheet(memory.Tokens(command.Input))
	if second, err := call(ctx, command); err == nil {
		if mended, err := Parse(second); err == nil {
			reply = answer.with(mended, refused)
		}
	}
	return apply(ctx, w, reply, sheet.ID)
}

// review returns an answer and those of its memories and drops that would be refused.
// The error is why it cannot be used at all.
func review(ctx context.Context, w *workspace.Workspace, sheet *Sheet, reply []byte) (*Answer, []Refused, error) {
	answer, err := Parse(reply)
	if err != nil {
		return nil, nil, err
	}
	d := &desk{w: w, sheet: sheet, used: map[memory.ID]string{}}
	d.judge(ctx, answer)
	return answer, d.refused, nil
}

// with is an answer in which the memories of a second one stand in the place of what
// was refused.
func (a *Answer) with(second *Answer, refused []Refused) []byte {
	out := &Answer{
		Sheet: a.Sheet, Memories: []Worded{}, Dropped: a.Dropped,
		Pairs: slices.Concat(a.Pairs, second.Pairs),
	}
	out.Memories = append(out.Memories, lists.Where(a.Memories, func(m Worded) bool {
		return !slices.ContainsFunc(refused, func(r Refused) bool {
			return r.Title == titleOf(m)
		})
	})...)
	kept := lists.SetOf(out.Memories, titleOf)
	news := lists.Where(second.Memories, func(m Worded) bool { return !kept[titleOf(m)] })
	out.Memories = lists.First(append(out.Memories, news...), maxMemories)
	data, err := json.Marshal(out)
	if err != nil {
		panic("curate: an answer that is not JSON: " + err.Error())
	}
	return data
}

// titleOf names a memory of an answer in an outcome.
func titleOf(w Worded) string { return grounding.Line(w.Title, 120) }

// again is the sheet with an answer to it and what was refused of that, for one
// more try.
func (s *Sheet) again(reply []byte, refused []Refused) string {
	var b strings.Builder
	b.WriteString(s.Text() + "\nYour answer was:\n" + memory.Defang(string(reply)) + "\n\nOf that was refused:\n")
	for _, r := range refused {
		b.WriteString("- " + grounding.Line(r.Title, 120) + ": " + grounding.Line(r.Reason, 600) + "\n")
	}
	b.WriteString("The rest is kept. Answer with one JSON object of the same shape that holds these alone, mended: " +
		"cite the line that has the words, or\nsay it without them. Leave out what the record does not support.\n")
	return b.String()
}
