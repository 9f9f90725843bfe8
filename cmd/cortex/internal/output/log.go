package output

import (
	"cmp"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/explore"
)

// Log shows the commits that touched memories; of one memory, which may be nil, with what
// each commit changed.
func Log(p *console.Printer, commits []explore.LogEntry, of *workspace.Entry) {
	p.Evidence(func() {
		if of != nil {
			p.Printf("%s\n%s\n", console.Bold(p.Cut(of.Memory.Quote(of.Memory.Title), p.Width)),
				console.Dim(p.Cut(Source(*of), p.Width)))
		}
		for _, c := range commits {
			p.Printf("%s  %s  %s  %s\n", c.Commit[:min(len(c.Commit), 8)],
				console.Dim(strings.Replace(c.Time[:16], "T", " ", 1)), console.Pad(c.Where, 7), p.Cut(c.Subject,
					p.Width-37))
			if said := Signature(c); said != "" {
				p.Printf("          %s\n", p.Cut(said, p.Width-10))
			}
			for _, change := range c.Changes {
				logged(p, change)
			}
		}
	})
	if len(commits) == 0 {
		p.Printf("No history yet.\n")
	}
}

// Signature says whether a commit was signed, and by whom; "" if it was not.
func Signature(c explore.LogEntry) string {
	if c.Signature == "" {
		return ""
	}
	said := map[string]string{
		"good":    "signed by " + c.Signer,
		"unknown": "signed by a key that is not among your allowed signers",
		"bad":     "BAD SIGNATURE: this is not what was signed",
	}
	return cmp.Or(said[string(c.Signature)], "signed, but the signature or its key is "+string(c.Signature))
}

// logged shows what a commit did to one memory.
func logged(p *console.Printer, c explore.LogChange) {
	const indent = "          "
	switch {
	case c.By != "":
		p.Printf("%s", p.Wrap(string(c.By.Short())+" "+c.Kind+" it: "+c.Title, indent))
	case len(c.Fields) == 0:
		p.Printf("%s%s\n", indent, c.Kind)
	}
	for _, f := range c.Fields {
		p.Printf("%s%s\n", indent, c.Kind+" "+f.Key)
		for _, side := range [][2]string{{"- ", f.Was}, {"+ ", f.Now}} {
			if side[1] != "" {
				p.Printf("%s  %s%s\n", indent, console.Dim(side[0]),
					p.Cut(strings.ReplaceAll(side[1], "\n", " "), p.Width-len(indent)-4))
			}
		}
	}
}
