package capture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"strings"
	"time"

	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/memory"
)

// Digest holds the conversation of a session, for a model to read: the words of
// the user and the agent, without tools, secrets and cortex's own briefing.
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
	emit := func(e *transcript.Event) {
		for _, l := range digestLines(e) {
			l.Text = prose.Clip(opt.Redactor.Line(transcript.WithoutBriefing(l.Text)), digestMessage)
			if l.Text == "" {
				continue
			}
			d.Lines = append(d.Lines, l)
			for size += len(l.Text); size > DigestLimit && len(d.Lines) > 1; d.Lines = d.Lines[1:] {
				size -= len(d.Lines[0].Text)
			}
		}
	}
	if err := rd.Start(transcript.Position{}, opt.Agent); err != nil {
		return nil, err
	}
	for {
		err := rd.Next(ctx, emit)
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
	}
	if agent := rd.Agent(); agent != "" {
		d.Agent = agent
	}
	sum := sha256.New()
	for _, l := range d.Lines {
		sum.Write([]byte(l.Text + "\n"))
	}
	d.mark = "cortex-" + hex.EncodeToString(sum.Sum(nil))[:24]
	return d, nil
}

// digestLines are the messages in an event.
func digestLines(e *transcript.Event) []DigestLine {
	at := DigestLine{Record: e.Record, Who: "user", Text: e.Text, time: e.Time}
	switch e.Kind {
	case transcript.Prompt, transcript.Steer:
		return []DigestLine{at}
	case transcript.Text:
		at.Who = "agent"
		return []DigestLine{at}
	case transcript.Result:
		var out []DigestLine
		for _, a := range e.Answers {
			at.Text = quotedPair(a.Question, a.Chosen)
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
