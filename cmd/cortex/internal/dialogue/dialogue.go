// Package dialogue asks a person about the memories that wait for review, one
// card at a time: on the whole screen of a terminal, or line by line. Call [Run].
// Without a dialogue, [Decide] decides about the memories that are named and [All]
// about those that a filter chooses: about all of them or none, and many are
// rejected only after a yes.
//
// It decides nothing by itself: each key is one decision of package review,
// which is on disk before the next card is shown and can be taken back. However
// it ends, the terminal is as it was before.
package dialogue

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/cmd/cortex/internal/output"
	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/review"
	"golang.org/x/term"
)

// Face is where a review takes place: the streams of the process, and what is
// known of its terminal.
type Face struct {
	In       io.Reader
	Out, Err io.Writer
	Printer  *console.Printer // for Out
	Now      func() time.Time
	Dumb     bool // the terminal cannot move its cursor
	Quiet    bool // no advice at the end
}

// Run asks a person about what waits for review in w, on the whole screen of a
// terminal, or line by line where there is none, until they have seen all of it
// or quit. A decision is on disk when the next card is shown.
func Run(ctx context.Context, w *workspace.Workspace, opt review.Options, face Face) error {
	d := &dialogue{Face: face, w: w, ctx: ctx, opt: opt}
	if err := d.load(); err != nil {
		return err
	}
	if len(d.cards) == 0 {
		d.Printer.Printf("Nothing to review.\n")
		return nil
	}
	in, isFile := d.In.(*os.File)
	out, isScreen := d.Out.(*os.File)
	var err error
	if isFile && isScreen && term.IsTerminal(int(in.Fd())) && term.IsTerminal(int(out.Fd())) && !d.Dumb {
		err = d.onScreen(in, out)
	} else {
		err = d.byLines(d.In)
	}
	d.summary()
	return err
}

// dialogue is a review that asks a person. Its two faces, the screen and the
// lines, show the card at hand and hand over what was pressed.
type dialogue struct {
	Face
	w     *workspace.Workspace
	ctx   context.Context //nolint:containedctx // a dialogue lives as long as its command
	opt   review.Options
	cards []card
	at    int // of cards; len(cards) when all were seen
	done  []step
	note  string // what came of the last key
	draft []byte // what an editor left that could not be stored
	help  bool

	terminal gitops.Terminal          // for the editor
	apart    func(func() error) error // runs the editor with the terminal as it was
}

// card is one thing to decide: a memory, or a branch that is gone.
type card struct {
	item    review.Item
	gone    *workspace.GoneBranch
	verdict review.Verb // "" while it is open
}

// step is a decision that can be taken back.
type step struct {
	decision review.Decision
	before   card
	at       int
	added    int          // cards that it brought
	others   map[int]card // further cards of a bulk decision, as they were before
}

func (d *dialogue) load() error {
	if d.opt.Everything() {
		gone, err := d.w.Views.GoneBranches(d.ctx)
		if err != nil {
			return err
		}
		for _, s := range gone {
			d.cards = append(d.cards, card{gone: &s})
		}
	}
	items, _, err := review.List(d.ctx, d.w, d.opt)
	for _, r := range items {
		d.cards = append(d.cards, card{item: r})
	}
	return err
}

// press does what a key stands for. quit is true for the last one.
func (d *dialogue) press(key rune) (quit bool) {
	helped := d.help
	d.note, d.help = "", false
	switch key {
	case 'q': // leaves the help, or the review
		return !helped
	case '?':
		d.help = true
	case escape: // leaves the help
	case 'u':
		d.undo()
	case 'b':
		d.move(-1)
	default:
		d.pressCard(key)
	}
	return false
}

// pressCard handles a key that is about the card that is shown, or its group.
func (d *dialogue) pressCard(key rune) {
	switch {
	case d.at == len(d.cards):
		d.note = d.unknown(key)
	case key == 's':
		d.looked()
		d.move(1)
	case d.cards[d.at].gone != nil:
		d.pressStray(key)
	case strings.ContainsRune("nxz", key) && d.many():
		d.pressGroup(key)
	default:
		d.pressItem(key)
	}
}

// pressGroup handles a key that is about the group of the card that is shown.
func (d *dialogue) pressGroup(key rune) {
	if key == 'n' {
		d.nextGroup()
		return
	}
	d.bulk(key)
}

// looked notes that a person saw the card at hand and left it pending.
func (d *dialogue) looked() {
	if c := d.cards[d.at]; c.gone == nil {
		d.w.Diary.NoteLooked([]memory.ID{c.item.Memory.ID})
	}
}

func (d *dialogue) pressStray(key rune) {
	s := d.cards[d.at].gone
	to := ""
	switch key {
	case 'm':
	case 'h':
		to = d.w.Repo.Topic
	default:
		d.note = d.unknown(key)
		return
	}
	decision, err := review.Rehome(d.ctx, d.w, s.Branch, to)
	if err != nil {
		d.note = sentence(err)
		return
	}
	d.decided(decision)
	d.note = fmt.Sprintf("Moved %s to %s.", console.Plural(decision.Count, "memory", "memories"), decision.Branch)
	d.bringMoved()
}

// bringMoved appends the memories that a move has made pending here.
func (d *dialogue) bringMoved() {
	items, _, err := review.List(d.ctx, d.w, d.opt)
	if err != nil {
		d.note = sentence(err)
	}
	for _, r := range items {
		if !slices.ContainsFunc(d.cards,
			func(c card) bool { return c.gone == nil && c.item.Memory.ID == r.Memory.ID }) {
			d.cards = append(d.cards, card{item: r})
			d.done[len(d.done)-1].added++
		}
	}
}

func (d *dialogue) pressItem(key rune) {
	r := d.cards[d.at].item
	all := offers(&r)
	i := slices.IndexFunc(all, func(o offer) bool { return strings.HasPrefix(o.label, string(key)) })
	switch {
	case i < 0:
		d.note = d.unknown(key)
		return
	case all[i].do == nil:
		d.edit()
		return
	}
	decision, err := all[i].do(d.ctx, d.w, r)
	if err != nil {
		d.failed(err)
		return
	}
	d.decided(decision)
	d.note = verdictText(decision, r.Memory.ID.Short())
}

// verdictText says what came of a decision.
func verdictText(decision review.Decision, id string) string {
	texts := map[review.Verb]string{
		review.Promoted: "Moved %s to your own store, for all your repositories.",
		review.Shelved:  "%s is a note of its session now; cortex restore %[1]s makes a memory of it again.",
		review.Rejected: "Rejected %s; cortex restore %[1]s brings it back.",
	}
	if text, told := texts[decision.Verb]; told {
		return fmt.Sprintf(text, id)
	}
	if decision.Entry.Stage == index.Landed {
		return fmt.Sprintf("Settled %s in %s, which is not staged.", id, decision.Path)
	}
	return fmt.Sprintf("Accepted %s; its file is staged.", id)
}

// sentence is an error as something said to a person.
func sentence(err error) string {
	text := output.Failure(err)
	return strings.ToUpper(text[:1]) + text[1:]
}

func (d *dialogue) unknown(key rune) string {
	return fmt.Sprintf("%q does nothing here. Press ? for help.", key)
}

// decided notes a decision and goes on to the next open card.
func (d *dialogue) decided(decision review.Decision) {
	d.done = append(d.done, step{decision: decision, before: d.cards[d.at], at: d.at})
	d.cards[d.at].verdict = decision.Verb
	d.move(1)
}

// move goes to the next open card in a direction, past the last one if there
// is none.
func (d *dialogue) move(by int) {
	d.draft = nil
	next := d.at + by
	for next >= 0 && next < len(d.cards) && d.cards[next].verdict != "" {
		next += by
	}
	if next >= 0 {
		d.at = next
	} else {
		d.note = "This is the first one."
	}
}

// failed says why a decision was not made. What is no longer as it was shown is
// shown as it is.
func (d *dialogue) failed(err error) {
	d.note = sentence(err)
	if errors.Is(err, review.ErrMovedOn) {
		d.refresh()
	}
}

// refresh reads the memory of the card at hand again.
func (d *dialogue) refresh() {
	items, _, err := review.List(d.ctx, d.w, d.opt)
	if err != nil {
		d.note = sentence(err)
		return
	}
	c := &d.cards[d.at]
	r, err := review.Find(items, string(c.item.Memory.ID))
	if err == nil {
		c.item = r
		return
	}
	c.verdict = "gone"
	d.note = c.item.Memory.ID.Short() + " no longer waits: it landed, or was withdrawn."
	d.move(1)
}

func (d *dialogue) undo() {
	if len(d.done) == 0 {
		d.note = "There is nothing to undo."
		return
	}
	last := d.done[len(d.done)-1]
	if err := review.Undo(d.ctx, d.w, last.decision); err != nil {
		d.note = "Cannot undo: " + err.Error()
		return
	}
	d.done = d.done[:len(d.done)-1]
	d.cards = d.cards[:len(d.cards)-last.added]
	d.cards[last.at], d.at, d.draft = last.before, last.at, nil
	for i, c := range last.others {
		d.cards[i] = c
	}
	d.note = "Undone: " + string(last.decision.Verb) + "."
	if n := last.decision.Count; n > 1 && last.others != nil {
		d.note = fmt.Sprintf("Undone: %d %s.", n, last.decision.Verb)
	}
}

// edit has the user edit the memory at hand. What cannot be stored is kept for
// another try.
func (d *dialogue) edit() {
	before := d.cards[d.at]
	text := d.draft
	if text == nil {
		text = memory.Format(before.item.Memory)
	}
	var edited []byte
	err := d.apart(func() (err error) {
		edited, err = review.EditText(d.ctx, d.w, text, d.terminal)
		return err
	})
	if err != nil {
		d.note = "Nothing was changed: " + err.Error()
		return
	}
	if len(bytes.TrimSpace(edited)) == 0 {
		d.note = "Nothing was changed: the text is empty. To reject a memory, press r."
		return
	}
	m, err := review.CheckEdited(d.ctx, d.w, before.item, edited)
	if err != nil {
		d.draft, d.note = edited, "Not saved: "+err.Error()+". Press e to open your text again."
		return
	}
	d.draft = nil
	item := before.item
	decision, err := review.Edit(d.ctx, d.w, &item, m)
	if err != nil {
		d.failed(err)
		return
	}
	d.done = append(d.done, step{decision: decision, before: before, at: d.at})
	if !isPending(item) {
		d.cards[d.at].verdict = decision.Verb
		d.note = "Edited " + item.Path + "; it is not staged."
		d.move(1)
		return
	}
	d.cards[d.at].item = item
	d.refresh()
	d.note = "Edited. It is still pending: press a to accept it."
}

// isPending is for what is said of a memory under review.
func isPending(r review.Item) bool { return r.Stage == index.Pending }

// stoppedError is a review that Ctrl-C or a signal ended.
type stoppedError struct{}

func (stoppedError) Error() string { return "the review was stopped; decisions made so far are kept" }
func (stoppedError) Unwrap() error { return context.Canceled }

// summary says what the review came to, when the screen is gone.
func (d *dialogue) summary() {
	counts := map[review.Verb]int{}
	for _, s := range d.done {
		counts[s.decision.Verb] += 1 + len(s.others)
	}
	open := 0
	for _, c := range d.cards {
		if c.verdict == "" && c.gone == nil {
			open++
		}
	}
	p := d.Printer
	text := fmt.Sprintf("%d accepted, %d rejected", counts[review.Accepted], counts[review.Rejected])
	for _, told := range []struct {
		verb review.Verb
		as   string
	}{{review.Promoted, "kept for all your repositories"}, {review.Shelved, "noted"}, {review.Edited, "edited"}} {
		if n := counts[told.verb]; n > 0 {
			text += fmt.Sprintf(", %d %s", n, told.as)
		}
	}
	p.Printf("%s\n", strings.Join(console.FoldLines(text+", "+console.Plural(open, "memory", "memories")+" left.",
		d.Printer.Width), "\n"))
	if !d.Quiet && counts[review.Accepted] > 0 {
		p.Printf("%s\n", console.Dim(strings.Join(console.FoldLines("accepted memories are staged: commit them when "+
			"you like", d.Printer.Width), "\n")))
	}
}
