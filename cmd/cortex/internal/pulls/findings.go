package pulls

import (
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/doctor"
)

// Formats are the ways in which [Findings] prints: for people, as annotations of a
// GitHub workflow, and as SARIF 2.1.0.
func Formats() []string { return []string{"text", "github", "sarif"} }

// Checked holds the outcome of a check.
type Checked struct {
	Findings []doctor.Finding
	Unproven []doctor.Unproven
	Memories int
	Quiet    bool   // of text: without how many there are
	Version  string // of cortex, for SARIF

	Quarantined int // of the memories, those that came with a branch that is not trusted here
}

// Findings prints what a check found, in one of [Formats].
func Findings(p *console.Printer, format string, c Checked) error {
	switch format {
	case "github":
		_, err := fmt.Fprint(p.Out, annotations(c.Findings)+notice(c.Unproven))
		return err
	case "sarif":
		enc := json.NewEncoder(p.Out)
		enc.SetIndent("", " ")
		return enc.Encode(sarif(c))
	}
	for _, f := range c.Findings {
		where := memory.OneLine(f.Path) // no line of a log is a command of a runner
		if f.Line > 0 {
			where = fmt.Sprintf("%s:%d", where, f.Line)
		}
		if f.Quarantined {
			where += " (in quarantine)"
		}
		p.Printf("%s\n", where)
		p.Hang(console.Join(console.Plain("  "), console.Bad(f.Rule), console.Plain(" ")),
			console.Plain(memory.OneLine(f.Text)))
	}
	if !c.Quiet {
		remedies(p, c.Findings)
		if note := unproven(c.Unproven); note != "" {
			p.Hang(console.Plain(""), console.Plain(note))
		}
		apart := ""
		if c.Quarantined > 0 {
			apart = fmt.Sprintf(", %d of them in quarantine", c.Quarantined)
		}
		p.Printf("%s in %s%s.\n", console.Plural(len(c.Findings), "finding", "findings"),
			console.Plural(c.Memories, "memory", "memories"), apart)
	}
	return nil
}

// remedies says once for each rule that found something what to do about it.
func remedies(p *console.Printer, found []doctor.Finding) {
	if len(found) > 0 {
		p.Printf("\n%s\n", console.Bold("What to do:"))
	}
	for _, r := range doctor.Rules() {
		if slices.ContainsFunc(found, func(f doctor.Finding) bool { return f.Rule == r.Name }) {
			p.Hang(console.Plain("  "+console.Pad(r.Name, 14)), console.Plain(r.Remedy))
		}
	}
	if len(found) > 0 {
		p.Printf("\n")
	}
}

// annotations are the findings as commands of a workflow's log, one in a line.
func annotations(found []doctor.Finding) string {
	var b strings.Builder
	for _, f := range found {
		line := ""
		if f.Line > 0 {
			line = fmt.Sprintf(",line=%d", f.Line)
		}
		fmt.Fprintf(&b, "::error file=%s%s,title=%s::%s\n", property(f.Path), line, property("cortex: "+f.Rule),
			message(f.Text))
	}
	return b.String()
}

// message escapes the text of a workflow command, as GitHub's own toolkit does.
func message(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(memory.Defang(s))
}

// property escapes a value that stands before the text.
func property(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(message(s))
}

type object = map[string]any

// unlinked breaks what would be a link in a message of SARIF (3.11.6): a memory that a
// message names leads nobody anywhere.
func unlinked(s string) string { return strings.ReplaceAll(s, "](", "] (") }

// sarif is a log of one run. A finding of a whole file is told at its first line: the
// format may go without, and GitHub takes no result without one.
func sarif(c Checked) object {
	rules := []object{}
	for _, r := range doctor.Rules() {
		rules = append(rules,
			object{
				"id": r.Name, "shortDescription": object{"text": r.About}, "help": object{"text": r.Remedy},
				"defaultConfiguration": object{"level": "error"},
			})
	}
	results := []object{}
	for _, f := range c.Findings {
		results = append(results, object{
			"ruleId": f.Rule, "level": "error", "message": object{"text": unlinked(memory.Defang(f.Text))},
			"locations": []object{{"physicalLocation": object{
				"artifactLocation": object{"uri": (&url.URL{Path: f.Path}).EscapedPath(), "uriBaseId": "%SRCROOT%"},
				"region":           object{"startLine": max(1, f.Line)},
			}}},
		})
	}
	return object{
		"$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
		"runs": []object{{
			"tool":    object{"driver": object{"name": "cortex", "version": c.Version, "rules": rules}},
			"results": results,
		}},
	}
}
