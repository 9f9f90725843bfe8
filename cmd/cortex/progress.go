package main

import (
	"fmt"
	"strings"
	"time"
)

// watched reports whether somebody looks at how far a command is.
func (e *env) watched() bool { return e.dialogue && !e.quiet && !e.json }

// lineBegin goes back to the start of a line of the terminal and clears it.
const lineBegin = "\r\x1b[K"

// bar draws how far something is.
func bar(done, total int64) string {
	full := int(30 * min(done, total) / max(total, 1))
	return "[" + strings.Repeat("#", full) + strings.Repeat(".", 30-full) + "] "
}

// progress draws a bar on a terminal for what takes longer than a second; nil
// elsewhere.
func (e *env) progress(what string) func(done, total int) {
	if !e.watched() {
		return nil
	}
	start, p, shown := e.now(), e.errPrinter(), false
	return func(done, total int) {
		switch {
		case total == 0 || e.now().Sub(start) < time.Second:
		case done < total:
			shown = true
			p.Printf("\r%s %s%d/%d", what, bar(int64(done), int64(total)), done, total)
		case shown:
			p.Raw(lineBegin)
		}
	}
}

func throughput(bytes int64, took time.Duration) string {
	return fmt.Sprintf("%.1f MB/s", float64(bytes)/1e6/max(took.Seconds(), 0.001))
}
