package imports

import (
	"context"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// ADR imports a folder of architecture decision records, as adr-tools and MADR write
// them: each becomes a decision, or a rejected approach, with its date. One that was
// superseded is linked from the one that replaced it. With dry nothing is written.
func ADR(ctx context.Context, w *workspace.Workspace, dir fs.FS, dry bool) (Result, error) {
	replaced := map[string][]string{} // the id of a record, to those that it supersedes
	records, bad, err := folder(ctx, dir, func(name, text string) ([]record, error) {
		if isNoADR(name) {
			return nil, nil
		}
		r, ok := adrOf(name, text, replaced)
		if !ok {
			return nil, errors.New("it has no title")
		}
		return []record{r}, nil
	})
	if err != nil {
		return Result{}, err
	}
	for i := range records {
		r := &records[i]
		olds := replaced[refText(r)]
		slices.Sort(olds)
		for _, old := range slices.Compact(olds) {
			r.links = append(r.links, refLink{memory.Supersedes, old})
		}
	}
	out, err := take(ctx, w, records, dry, func(r *record) string { return strings.TrimPrefix(refText(r), adrPrefix) })
	out.Skipped = append(bad, out.Skipped...)
	return out, err
}

// isNoADR reports whether a file of the folder is about the records, and none of them.
func isNoADR(name string) bool {
	base := strings.ToLower(path.Base(name))
	return slices.Contains([]string{"readme.md", "index.md"}, base) || strings.Contains(base, "template")
}

// adrPrefix begins the ids of records; the path of the file follows.
const adrPrefix = "adr:"

var (
	adrNumber = lazy.Pattern(`^(?i:adr[- ]?)?\d+[.:)]?\s+(?:[-–—]\s+)?`)
	adrLink   = lazy.Pattern(`\]\(([^)\s]+\.md)[^)]*\)`)
	adrField  = lazy.Pattern(`(?i)^[*-]?\s*\**(status|date)\**:\**\s*(.+)$`)
)

// adrOf reads one record, and notes in replaced what it supersedes or is superseded by.
func adrOf(name, text string, replaced map[string][]string) (record, bool) {
	h, body, _ := headOf(text) // what is broken in the head counts as left out
	a := adr{status: h.Status, date: h.Date}
	for line := range strings.Lines(body) {
		a.take(strings.TrimRight(line, "\n"))
	}
	if a.title == "" {
		return record{}, false
	}
	status := strings.TrimSpace(a.status)
	note := adrLinks(name, status, replaced)
	r := named(adrPrefix+name, a.title, strings.Join(a.kept, "\n"))
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
	switch {
	case a.takeTitle(line), a.takeHeading(line), a.takeField(line):
	case a.section == "status":
		a.status += "\n" + line
	default:
		a.kept = append(a.kept, line)
	}
}

// takeTitle reports whether a line was the title.
func (a *adr) takeTitle(line string) bool {
	heading, ok := strings.CutPrefix(line, "# ")
	if !ok || a.title != "" {
		return false
	}
	a.title = strings.TrimSpace(adrNumber().ReplaceAllString(strings.TrimSpace(heading), ""))
	return true
}

// takeHeading notes which section begins, and reports whether it is that of the status.
func (a *adr) takeHeading(line string) bool {
	heading, ok := strings.CutPrefix(line, "## ")
	if ok {
		a.section = strings.ToLower(strings.TrimSpace(heading))
	}
	return ok && a.section == "status"
}

// takeField reports whether a line at the top, or of the status, names the status or the date.
func (a *adr) takeField(line string) bool {
	field := adrField().FindStringSubmatch(line)
	if field == nil || a.section != "" && a.section != "status" {
		return false
	}
	if strings.EqualFold(field[1], "date") {
		a.date = field[2]
	} else {
		a.status += "\n" + field[2]
	}
	return true
}

// adrLinks reads what a status says of other records, and reports whether it names one
// that supersedes this one.
func adrLinks(name, status string, replaced map[string][]string) (superseded bool) {
	this := adrPrefix + name
	for line := range strings.Lines(status) {
		low := strings.ToLower(line)
		for _, m := range adrLink().FindAllStringSubmatch(line, -1) {
			other := adrPrefix + path.Join(path.Dir(name), m[1])
			switch {
			case strings.Contains(low, "superseded by"), strings.Contains(low, "superceded by"):
				replaced[other] = append(replaced[other], this)
				superseded = true
			case strings.Contains(low, "supersedes"), strings.Contains(low, "supercedes"):
				replaced[this] = append(replaced[this], other)
			}
		}
	}
	return superseded
}
