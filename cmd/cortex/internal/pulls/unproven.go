package pulls

import (
	"fmt"
	"strings"

	"github.com/git-cortex/cortex/cmd/cortex/internal/console"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/doctor"
)

// mostNamed is how many memories of one kind the note on unproven ones names.
const mostNamed = 3

// unproven is the note on the memories that nobody here is known to have said; "" for none.
func unproven(all []doctor.Unproven) string {
	if len(all) == 0 {
		return ""
	}
	var read, unknown []string
	for _, u := range all {
		if u.Origin == memory.OriginOutside {
			read = append(read, u.ID.Short()+" ("+memory.OneLine(u.Reason)+")")
		} else {
			unknown = append(unknown, u.ID.Short())
		}
	}
	note := fmt.Sprintf("Note: nobody here is known to have said %s: ", console.Plural(len(all), "memory", "memories"))
	var groups []string
	if len(read) > 0 {
		groups = append(groups, fmt.Sprintf("%d read somewhere: %s", len(read), firstOf(read)))
	}
	if len(unknown) > 0 {
		groups = append(groups, fmt.Sprintf("%d without an origin: %s", len(unknown), firstOf(unknown)))
	}
	return note + strings.Join(groups, "; ") +
		". None of them lands by itself; cortex review asks about those that wait."
}

// firstOf lists the first few names, and counts the rest.
func firstOf(names []string) string {
	if len(names) <= mostNamed {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNamed], ", "), len(names)-mostNamed)
}

// notice is the note as a command of a workflow's log; "" for none.
func notice(all []doctor.Unproven) string {
	note := unproven(all)
	if note == "" {
		return ""
	}
	return fmt.Sprintf("::notice title=%s::%s\n", property("cortex: origin"), message(note))
}
