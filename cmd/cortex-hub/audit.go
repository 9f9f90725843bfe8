package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/git-cortex/cortex/hub"
	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/atomicfile"
	"github.com/git-cortex/cortex/internal/lists"
)

func newAudit(p *program) *cobra.Command {
	since, user, query := "", "", ""
	c := &cobra.Command{
		Use: "audit", Short: "Say who asked what", GroupID: "govern", Args: exactly(0, 0),
		Long: `List the requests that were answered: when, by whom, what kind, in how many
repositories, with how many results. What was asked is kept as a sum alone: with
--query you learn who asked for a text that you know, and nobody reads what
others asked for. A line is kept for 90 days, or "audit_days" of hub.json.

The name is the one that the caller gave. The sum behind it is of their whole
credentials, so it is the same for who used the same.`,
		Example: `  cortex-hub audit --since 7d
  cortex-hub audit --since 2026-11-01 --user alice --json
  cortex-hub audit --since 30d --query "why do uploads fail"`,
	}
	c.Flags().StringVar(&since, "since", "24h", "since `WHEN`: a day, or a time that long ago such as 90m or 7d")
	c.Flags().StringVar(&user, "user", "", "what the caller of this `NAME` asked")
	c.Flags().StringVar(&query, "query", "", "who asked for this `TEXT`, or for the blob of a memory")
	c.RunE = p.with(func(ctx context.Context, o *opened, _ []string) error {
		from, err := sinceOf(since, o.now())
		if err != nil {
			return err
		}
		list, err := o.Asked(ctx, from)
		if err != nil {
			return err
		}
		list = lists.Without(list, func(a hub.Asked) bool {
			return user != "" && a.User != user || query != "" && a.Query != o.AuditSum(query)
		})
		return o.say(map[string]any{"since": from.UTC(), "requests": append([]hub.Asked{}, list...)},
			func() { o.requests(list, from) })
	})
	return c
}

// requests prints lines of the audit.
func (o *opened) requests(list []hub.Asked, from time.Time) {
	for _, a := range list {
		o.printf("%s  %s/%s (%.8s)  %-32s %d  %d results in %d repositories  query %.8s",
			a.At.UTC().Format(time.DateTime), a.Forge, oneLine(a.User), a.Caller, a.Request, a.Status, a.Hits,
			a.Repositories, a.Query)
	}
	o.printf("%d requests since %s", len(list), from.UTC().Format(time.DateTime))
}

// sinceOf reads a day, or how long ago something was.
func sinceOf(text string, now time.Time) (time.Time, error) {
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return day, nil
	}
	ago, err := agoOf(text)
	if err != nil || ago < 0 {
		return time.Time{}, &usageError{fmt.Sprintf("audit: %q is no time", text), "2026-11-01, 90m, 24h or 7d"}
	}
	return now.Add(-ago), nil
}

// agoOf reads a duration, which may be of days.
func agoOf(text string) (time.Duration, error) {
	if number, ok := strings.CutSuffix(text, "d"); ok {
		days, err := strconv.Atoi(number)
		return time.Duration(days) * 24 * time.Hour, err
	}
	return time.ParseDuration(text)
}

// auditKey is the file of the key of the sums in the audit.
const auditKey = "audit.key"

// audit is how requests are written down, by the settings. The key is made where there is none; processes that
// share a database share it by a copy of its file.
func (o *opened) audit() (hub.Audit, error) {
	if o.settings.AuditDays < 0 {
		return hub.Audit{}, nil
	}
	path := filepath.Join(o.program.store, auditKey)
	key, err := atomicfile.Read(path, maxSettings)
	if errors.Is(err, fs.ErrNotExist) {
		made := []byte(rand.Text() + rand.Text() + "\n")
		if err = atomicfile.WritePath(path, made, atomicfile.Options{Mode: 0o600}); err == nil {
			key, err = atomicfile.Read(path, maxSettings)
		}
	}
	if err != nil {
		return hub.Audit{}, answer.WithHint(fmt.Errorf("reading the key of the audit: %w", err),
			`{"audit_days": -1} in hub.json writes no audit`)
	}
	return hub.Audit{Key: key, Keep: time.Duration(o.settings.AuditDays) * 24 * time.Hour}, nil
}
