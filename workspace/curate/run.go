package curate

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/git-cortex/cortex/workspace"
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
	defaultDaily    = 12
	mostDaily       = 200
)

// SettingsOf reads the settings. What is not a number in range counts as unset.
func SettingsOf(ctx context.Context, w *workspace.Workspace) Settings {
	s := Settings{Timeout: defaultTimeout, Interval: defaultInterval, Daily: defaultDaily}
	git, err := w.Repo.Settings(ctx)
	if err != nil {
		return s
	}
	s.Command = git.Value("cortex.llm")
	if n, err := strconv.Atoi(git.Value("cortex.llmtimeout")); err == nil && n > 0 {
		s.Timeout = min(time.Duration(n)*time.Second, mostTimeout)
	}
	if n, err := strconv.Atoi(git.Value("cortex.llminterval")); err == nil && n > 0 {
		s.Interval = min(time.Duration(n)*time.Minute, 30*24*time.Hour)
	}
	if n, err := strconv.Atoi(git.Value("cortex.llmdaily")); err == nil && n > 0 {
		s.Daily = min(n, mostDaily)
	}
	return s
}

// StatusOf says how much the user's command has read; nil if there is none.
func StatusOf(ctx context.Context, w *workspace.Workspace) *workspace.CurationStatus {
	s := SettingsOf(ctx, w)
	if s.Command == "" {
		return nil
	}
	out := &workspace.CurationStatus{Command: s.Command, Daily: s.Daily}
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
	if event != "stop" && event != "session-end" || session == "" || !w.Enabled(ctx) {
		return false
	}
	s := SettingsOf(ctx, w)
	if s.Command == "" {
		return false
	}
	if event == "session-end" {
		s.Interval /= 5
	}
	return w.Diary.BeginRun(session, s.Interval, s.Timeout, s.Daily)
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

// Run lets the user's command, which call starts, read one worksheet, and
// applies its answer.
func Run(ctx context.Context, w *workspace.Workspace, opt Options, call func(context.Context, Command) ([]byte, error)) (*Outcome, error) {
	s := SettingsOf(ctx, w)
	if s.Command == "" {
		return nil, ErrNoCommand
	}
	sheet, err := Next(ctx, w, opt)
	if err != nil {
		return nil, err
	}
	reply, err := call(ctx, Command{Line: s.Command, Input: sheet.Text(), Timeout: s.Timeout, Limit: AnswerBytes + 1})
	if err != nil {
		return nil, err
	}
	return apply(ctx, w, reply, sheet.ID)
}
