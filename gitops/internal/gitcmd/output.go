package gitcmd

import (
	"bytes"
	"fmt"
	"strings"
)

// What is kept of what git prints.
const (
	stderrCap = 4 << 10
	stdoutCap = 64 << 20
)

// errFlood is the cause of a command that was stopped because it printed too much.
var errFlood = fmt.Errorf("it printed more than %d MB", stdoutCap>>20)

// output keeps the first limit bytes of what git prints. What comes beyond them is
// swallowed, or ends git where full is set. The buffer is a field with a name on
// purpose: as an embedded one it would offer ReadFrom, which copies without Write.
type output struct {
	limit int
	full  func(error) // called with errFlood
	alive func()      // called when something comes; may be nil
	buf   bytes.Buffer
	over  bool
}

func (o *output) Write(p []byte) (int, error) {
	if o.alive != nil {
		o.alive()
	}
	room := o.limit - o.buf.Len()
	o.buf.Write(p[:min(room, len(p))])
	if len(p) <= room || o.full == nil {
		return len(p), nil
	}
	o.over = true
	o.full(errFlood)
	return room, errFlood
}

// QuotedLines are names, one a line, as git reads them from its input.
func QuotedLines(names []string) string {
	var b strings.Builder
	quote := strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)
	for _, name := range names {
		if strings.ContainsAny(name, "\"\n") {
			name = `"` + quote.Replace(name) + `"`
		}
		b.WriteString(name + "\n")
	}
	return b.String()
}
