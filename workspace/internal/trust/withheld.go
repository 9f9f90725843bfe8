package trust

import "fmt"

// Withheld says in a line that so many memories are in quarantine, and what can be done; ""
// for none.
func Withheld(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "1 memory came with a branch that is not trusted here, and is withheld from agents: cortex review"
	}
	return fmt.Sprintf("%d memories came with a branch that is not trusted here, and are withheld from agents: "+
		"cortex review", n)
}
