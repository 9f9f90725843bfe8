package output

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/workspace/codes"
)

// Survey lists what lacks a description, by file.
func Survey(p *console.Printer, found *codes.Found) {
	last := ""
	for _, l := range found.Lacking {
		if l.Path != last {
			p.Printf("%s\n", console.Bold(p.Path(l.Path, p.Width)))
			last = l.Path
		}
		name, note := l.Name, ""
		name = cmp.Or(name, "the whole file")
		if l.State == codes.Changed {
			note = "  changed since " + l.Memory.Short()
		}
		p.Printf("  %s  %s%s\n", console.Dim(console.Pad(fmt.Sprintf("%d-%d", l.First, l.Last), 11)),
			p.Cut(name, p.Width-45), console.Dim(note))
	}
	if len(found.Lacking) == 0 {
		p.Printf("Nothing lacks a description: %s, %s described.\n", console.Plural(found.Files, "file", "files"),
			console.Plural(found.Described, "symbol", "symbols"))
	} else {
		more := ""
		if found.More > 0 {
			more = fmt.Sprintf(", of which %d are not shown", found.More)
		}
		p.Printf("\n%s", p.Wrap(fmt.Sprintf("%s a description%s; %d are described. To describe one: cortex "+
			"index-code PATH --symbol NAME --text TEXT",
			console.Plural(len(found.Lacking)+found.More, "symbol lacks", "symbols lack"), more, found.Described), ""))
	}
	if len(found.Whole) > 0 {
		p.Printf("%s", p.Wrap("Of "+strings.Join(found.Whole, ", ")+
			" whole files are listed: Universal Ctags is not there to tell their symbols.", ""))
	}
}
