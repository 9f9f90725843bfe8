package main

import (
	"fmt"
	"log/slog"
)

// logger writes the log on standard error: JSON of a server, for programs, and text of all other commands.
func (p *program) logger() *slog.Logger {
	opt := &slog.HandlerOptions{ReplaceAttr: cleanAttr}
	if p.serving {
		return slog.New(slog.NewJSONHandler(p.err, opt))
	}
	return slog.New(slog.NewTextHandler(p.err, opt))
}

// cleanAttr keeps what a server said from acting on the terminal of whoever reads the log.
func cleanAttr(_ []string, a slog.Attr) slog.Attr {
	switch v := a.Value.Any().(type) {
	case string:
		a.Value = slog.StringValue(oneLine(v))
	case error, fmt.Stringer:
		if a.Key != slog.TimeKey && a.Key != slog.LevelKey {
			a.Value = slog.StringValue(oneLine(fmt.Sprint(v)))
		}
	}
	return a
}
