package console

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/git-cortex/cortex/internal/lazy"
)

// LineBegin goes back to the start of a line of the terminal and clears it.
const LineBegin = "\r\x1b[K"

// Bar draws how far something is.
func Bar(done, total int64) string {
	full := int(30 * min(done, total) / max(total, 1))
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", 30-full) + "] "
}

// Throughput says how much was read in a second.
func Throughput(bytes int64, took time.Duration) string {
	return fmt.Sprintf("%.1f MB/s", float64(bytes)/1e6/max(took.Seconds(), 0.001))
}

// Progress returns what draws a bar for something that takes longer than a second from now on.
func (p *Printer) Progress(what string, now func() time.Time) func(done, total int) {
	start, shown := now(), false
	return func(done, total int) {
		switch {
		case total == 0 || now().Sub(start) < time.Second:
		case done < total:
			shown = true
			p.Printf("\r%s %s%d/%d", what, Bar(int64(done), int64(total)), done, total)
		case shown:
			p.Raw(LineBegin)
		}
	}
}

// Reading returns what draws how far an input is read, of total bytes where that is not 0, for one
// that takes longer than a second from start on.
func (p *Printer) Reading(what string, start time.Time, now func() time.Time) func(read, total int64, documents int) {
	return func(read, total int64, documents int) {
		switch took := now().Sub(start); {
		case took < time.Second:
		case total > 0 && read >= total:
			p.Raw(LineBegin)
		default:
			share := ""
			if total > 0 {
				share = Bar(read, total)
			}
			p.Raw(LineBegin)
			p.Printf("%s %s%s, %s", what, share, Plural(documents, "document", "documents"), Throughput(read, took))
		}
	}
}

// Step shows what is being done, with a bar where it says "n%" as git does. The cursor goes back to the
// start, where a prompt overwrites it.
func (p *Printer) Step(step string) {
	p.Raw(LineBegin)
	if m := percentage().FindStringSubmatch(step); m != nil {
		n, _ := strconv.Atoi(m[1])
		p.Printf("%s", Bar(int64(min(n, 100)), 100))
	}
	p.Printf("%s\r", Cut(step, p.Width-34))
}

// percentage matches how git says how far it is.
var percentage = lazy.Pattern(`^[^%]*?(\d{1,3})% \(`)
