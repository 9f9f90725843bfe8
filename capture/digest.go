package capture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/git-cortex/cortex/memory"
)

// Digest is what was said in a session, for a model to read: the words of the
// user and the agent, without tools, secrets and cortex's own briefing.
type Digest struct {
	Agent, Session string
	Lines          []DigestLine
	mark           string // stands around the digest in the prompt, and nowhere in it
}

// DigestLine is one message.
type DigestLine struct {
	Record int    // 0-based line of the transcript
	Who    string // user or agent
	Text   string // redacted, one line
	time   time.Time
}

// DigestLimit is how many bytes of the end of a session a digest holds.
const DigestLimit = 48 << 10

// digestMessage bounds one message in it.
const digestMessage = 4 << 10

// ReadDigest reads a transcript for its last words, at most DigestLimit bytes.
func ReadDigest(ctx context.Context, src io.ReadSeeker, opt Options) (*Digest, error) {
	rd, opt, err := openFor(src, opt)
	if err != nil {
		return nil, err
	}
	d := &Digest{Agent: opt.Agent, Session: opt.Session}
	size := 0
	emit := func(e *event) {
		for _, l := range digestLines(e) {
			l.Text = clip(opt.Redactor.Line(dropBriefing(l.Text)), digestMessage)
			if l.Text == "" {
				continue
			}
			d.Lines = append(d.Lines, l)
			for size += len(l.Text); size > DigestLimit && len(d.Lines) > 1; d.Lines = d.Lines[1:] {
				size -= len(d.Lines[0].Text)
			}
		}
	}
	if err := rd.start(position{}, opt.Agent); err != nil {
		return nil, err
	}
	for {
		err := rd.next(ctx, emit)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if rd.adapter != nil {
		d.Agent = rd.agent
	}
	sum := sha256.New()
	for _, l := range d.Lines {
		sum.Write([]byte(l.Text + "\n"))
	}
	d.mark = "cortex-" + hex.EncodeToString(sum.Sum(nil))[:24]
	return d, nil
}

// digestLines are the messages in an event.
func digestLines(e *event) []DigestLine {
	at := DigestLine{Record: e.record, Who: "user", Text: e.text, time: e.time}
	switch e.kind {
	case evPrompt, evSteer:
		return []DigestLine{at}
	case evText:
		at.Who = "agent"
		return []DigestLine{at}
	case evResult:
		var out []DigestLine
		for _, a := range e.answers {
			at.Text = quotedPair(a.question, a.chosen)
			out = append(out, at)
		}
		return out
	}
	return nil
}

// holds reports whether words stand in the digest at a line, or at any line
// when that is none of it; white space does not count.
func (d *Digest) holds(record int, words string) (DigestLine, bool) {
	words = strings.Join(strings.Fields(words), " ")
	for _, l := range d.Lines {
		if l.Record == record && strings.Contains(memory.OneLine(l.Text), words) {
			return l, true
		}
	}
	return DigestLine{}, false
}
