package imports

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// ADR imports a folder of architecture decision records, as adr-tools and MADR write
// them: each becomes a decision, or a rejected approach, with its date. One that was
// superseded is linked from the one that replaced it. With dry nothing is written.
func ADR(ctx context.Context, w *workspace.Workspace, dir fs.FS, dry bool) (Result, error) {
	var records []record
	var names []string
	var bad []index.Problem
	replaced := map[string][]string{} // a file, to the files that it supersedes
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		base := strings.ToLower(path.Base(name))
		switch {
		case err != nil:
			return err
		case d.IsDir() || path.Ext(base) != ".md" || base == "readme.md" || base == "index.md" || strings.Contains(base, "template"):
			return ctx.Err()
		}
		text, err := readFile(dir, name)
		if err != nil {
			bad = append(bad, index.Problem{Path: name, Text: err.Error()})
			return nil
		}
		r, ok := adrOf(name, text, replaced)
		if !ok {
			bad = append(bad, index.Problem{Path: name, Text: "it has no title"})
			return nil
		}
		records, names = append(records, r), append(names, name)
		return ctx.Err()
	})
	if err != nil {
		return Result{}, fmt.Errorf("reading the folder: %w", err)
	}
	for i, name := range names {
		for _, old := range replaced[name] {
			if l := (refLink{memory.Supersedes, adrRef(old)}); !slices.Contains(records[i].links, l) {
				records[i].links = append(records[i].links, l)
			}
		}
	}
	out, err := take(ctx, w, records, dry, func(i int) string { return names[i] })
	out.Skipped = append(bad, out.Skipped...)
	return out, err
}

func adrRef(name string) string { return "adr:" + name }

var (
	adrNumber = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(?i:adr[- ]?)?\d+[.:)]?\s+(?:[-–—]\s+)?`) })
	adrLink   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\]\(([^)\s]+\.md)[^)]*\)`) })
	adrField  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^[*-]?\s*\**(status|date)\**:\**\s*(.+)$`) })
)

// adrOf reads one record, and notes in replaced what it supersedes or is superseded by.
func adrOf(name, text string, replaced map[string][]string) (record, bool) {
	fields, body := splitFrontmatter(text)
	a := adr{status: fields["status"], date: fields["date"]}
	for line := range strings.Lines(body) {
		a.take(strings.TrimRight(line, "\n"))
	}
	if a.title == "" {
		return record{}, false
	}
	status := strings.TrimSpace(a.status)
	note := adrLinks(name, status, replaced)
	r := named(adrRef(name), a.title, strings.Join(a.kept, "\n"))
	r.Type, r.Date, r.tags = string(memory.Decision), strings.TrimSpace(a.date), []string{"adr"}
	switch first := strings.ToLower(status); {
	case strings.HasPrefix(first, "rejected"):
		r.Type = string(memory.Rejected)
	case strings.HasPrefix(first, "proposed"), strings.HasPrefix(first, "draft"):
		r.confidence = 0.5
	case strings.HasPrefix(first, "deprecated"), strings.HasPrefix(first, "superseded") && !note:
		r.confidence = 0.3
		r.Text = strings.TrimSpace(r.Text + "\n\nStatus: " + strings.ReplaceAll(status, "\n", " "))
	}
	return r, true
}

// adr is a record of a decision as it is read, line by line.
type adr struct {
	title, status, date string
	section             string // the heading of the section at hand, in lower case
	kept                []string
}

// take takes in the next line.
func (a *adr) take(line string) {
	if heading, ok := strings.CutPrefix(line, "# "); ok && a.title == "" {
		a.title = strings.TrimSpace(adrNumber().ReplaceAllString(strings.TrimSpace(heading), ""))
		return
	}
	if heading, ok := strings.CutPrefix(line, "## "); ok {
		a.section = strings.ToLower(strings.TrimSpace(heading))
		if a.section == "status" {
			return
		}
	}
	inHead := a.section == "" || a.section == "status"
	field := adrField().FindStringSubmatch(line)
	switch {
	case field != nil && inHead && strings.EqualFold(field[1], "date"):
		a.date = field[2]
	case field != nil && inHead:
		a.status += "\n" + field[2]
	case a.section == "status":
		a.status += "\n" + line
	default:
		a.kept = append(a.kept, line)
	}
}

// adrLinks reads what a status says of other records, and reports whether it names one
// that supersedes this one.
func adrLinks(name, status string, replaced map[string][]string) (superseded bool) {
	for line := range strings.Lines(status) {
		low := strings.ToLower(line)
		for _, m := range adrLink().FindAllStringSubmatch(line, -1) {
			other := path.Join(path.Dir(name), m[1])
			switch {
			case strings.Contains(low, "superseded by"), strings.Contains(low, "superceded by"):
				replaced[other] = append(replaced[other], name)
				superseded = true
			case strings.Contains(low, "supersedes"), strings.Contains(low, "supercedes"):
				replaced[name] = append(replaced[name], other)
			}
		}
	}
	return superseded
}
