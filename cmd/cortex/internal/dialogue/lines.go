package dialogue

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/gitops"
)

// maxAnswer caps a line of answers; what is longer is no answer.
const maxAnswer = 4096

// byLines asks in the order of the cards and reads one letter a line. The end
// of input quits.
func (d *dialogue) byLines(in io.Reader) error {
	d.terminal = gitops.Terminal{Out: d.Out, Err: d.Err} // our input is not the editor's
	d.apart = func(run func() error) error { return run() }
	answers := bufio.NewScanner(in)
	answers.Buffer(nil, maxAnswer)
	p := d.Printer
	shown := ""
	for {
		if d.note != "" {
			p.Printf("%s\n", strings.Join(console.FoldLines(d.note, d.Printer.Width), "\n"))
		}
		if d.help {
			p.Printf("%s\n", console.JoinLines(helpLines(d.Printer.Width)))
		}
		if d.at == len(d.cards) && d.note == "" && !d.help {
			return nil
		}
		if card := console.JoinLines(d.lines(d.Printer.Width)); card.String() != shown {
			p.Printf("\n%s\n", console.Dim(console.Cut(d.position(), d.Printer.Width)))
			p.Evidence(func() { p.Printf("%s\n", card) })
			shown = card.String()
		}
		p.Printf("%s ", console.Bold(strings.Join(d.keyLines(d.Printer.Width-2), "\n")+" >"))
		key, err := nextAnswer(answers)
		p.Printf("\n")
		if err == nil {
			err = d.ctx.Err()
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if d.press(key) {
			return nil
		}
	}
}

// nextAnswer is the first letter of the next line that has one.
func nextAnswer(answers *bufio.Scanner) (rune, error) {
	for answers.Scan() {
		for _, r := range strings.ToLower(strings.TrimSpace(answers.Text())) {
			return r, nil
		}
	}
	if err := answers.Err(); err != nil {
		return 0, fmt.Errorf("reading answers: %w", err)
	}
	return 0, io.EOF
}
