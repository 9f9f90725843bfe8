package dialogue

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/gitops"
)

// The alternate screen of a terminal: what was on it before is there again
// after. Drawing goes over the old screen, so that nothing flickers.
const (
	screenEnter = "\x1b[?1049h\x1b[?25l"
	screenLeave = "\x1b[?25h\x1b[?1049l"
	screenTop   = "\x1b[H"
	lineEnd     = "\x1b[K"
	screenEnd   = "\x1b[J"
)

// screen is a terminal in raw mode, on its alternate screen.
type screen struct {
	in, out *os.File
	saved   *term.State
	keys    chan rune
	failed  chan error
	from    int // first line of the card that is shown
}

// onScreen asks on the whole terminal. However it ends, the terminal is as it
// was before.
func (d *dialogue) onScreen(in, out *os.File) (err error) {
	ctx, stop := signal.NotifyContext(d.ctx, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	s := &screen{in: in, out: out, keys: make(chan rune), failed: make(chan error, 1)}
	if err := s.enter(); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.leave()) }()
	d.terminal = gitops.Terminal{In: in, Out: out, Err: d.Err}
	d.apart = func(run func() error) error {
		if err := s.leave(); err != nil {
			return err
		}
		return errors.Join(run(), s.enter())
	}
	for {
		s.draw(d)
		at := d.at
		key, err := s.key(ctx)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case key == ctrlC:
			return stoppedError{}
		case key == ctrlD:
			return nil
		case s.scroll(key):
		case d.press(unicode.ToLower(key)):
			return nil
		}
		if d.at != at || d.help {
			s.from = 0
		}
	}
}

const (
	ctrlC = 0x03
	ctrlD = 0x04

	escape = 0x1b
)

func (s *screen) enter() error {
	saved, err := term.MakeRaw(int(s.in.Fd()))
	if err != nil {
		return fmt.Errorf("taking the terminal: %w", err)
	}
	s.saved = saved
	_, err = io.WriteString(s.out, screenEnter)
	return err
}

func (s *screen) leave() error {
	if s.saved == nil {
		return nil
	}
	_, err := io.WriteString(s.out, screenLeave)
	err = errors.Join(err, term.Restore(int(s.in.Fd()), s.saved))
	s.saved = nil
	return err
}

// key waits for the next key. The terminal is only read while somebody waits,
// so that an editor has it for itself. What is left of a chunk is thrown away
// with it: a pasted text must not decide anything.
func (s *screen) key(ctx context.Context) (rune, error) {
	go func() {
		buf := make([]byte, 64)
		n, err := s.in.Read(buf)
		if err != nil {
			s.failed <- err
			return
		}
		s.keys <- keyOf(buf[:n])
	}()
	select {
	case <-ctx.Done():
		return 0, stoppedError{}
	case err := <-s.failed:
		return 0, err
	case key := <-s.keys:
		return key, nil
	}
}

// keyOf is the one key that a chunk of input stands for: 0 for what is none of
// ours. Cursor and page keys scroll.
func keyOf(chunk []byte) rune {
	if strings.HasPrefix(string(chunk), "\x1b") {
		switch string(chunk) {
		case "\x1b":
			return escape
		case "\x1b[B", "\x1bOB", "\x1b[6~":
			return ' '
		case "\x1b[A", "\x1bOA", "\x1b[5~":
			return '-'
		}
		return 0
	}
	key, _ := utf8.DecodeRune(chunk)
	return key
}

func (s *screen) size() (width, height int) {
	width, height, err := term.GetSize(int(s.out.Fd()))
	if err != nil || width < 1 || height < 1 {
		return 80, 24
	}
	return width, height
}

// scroll moves through a card that is longer than the screen.
func (s *screen) scroll(key rune) bool {
	_, height := s.size()
	switch key {
	case ' ':
		s.from += max(1, height/2)
	case '-':
		s.from = max(0, s.from-max(1, height/2))
	case 0:
	default:
		return false
	}
	return true
}

// moreText says how much of a card is out of sight.
func moreText(above, below int) string {
	if below > 0 {
		return fmt.Sprintf("… %s below: space", console.Plural(below, "more line", "more lines"))
	}
	return fmt.Sprintf("… %s above: -", console.Plural(above, "line", "lines"))
}

// draw shows the card at hand between a head line and, at the bottom, what
// came of the last key and which keys there are.
func (s *screen) draw(d *dialogue) {
	width, height := s.size()
	width = min(width, 120)
	lines := d.lines(width)
	if d.help {
		lines = helpLines(width)
	}
	var foot []console.Text
	if d.note != "" {
		foot = console.Styled(console.Warn, console.FoldLines(d.note, width))
	}
	foot = append(foot, console.Styled(console.Bold, d.keyLines(width))...)
	room := max(1, height-len(foot)-3)
	if len(lines) <= room {
		s.from = 0
	} else {
		room = max(1, room-1)
		s.from = max(0, min(s.from, len(lines)-room))
		below := len(lines) - s.from - room
		lines = append(lines[s.from:s.from+room:s.from+room], console.Dim(console.Cut(moreText(s.from, below), width)))
	}
	all := []console.Text{console.Dim(console.Cut("cortex review · "+d.position(), width)), nil}
	all = append(all, lines...)
	for len(all) < height-len(foot) {
		all = append(all, nil)
	}
	all = append(all, foot...)
	all = all[:min(len(all), height)]
	p := d.Printer
	p.Raw(screenTop)
	for i, line := range all {
		p.Printf("%s", line)
		p.Raw(lineEnd)
		if i < len(all)-1 {
			p.Raw("\r\n")
		}
	}
	p.Raw(screenEnd)
}
