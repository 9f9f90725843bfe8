package passage

// Place is where a passage stands.
type Place int

// The places.
const (
	Middle   Place = iota // the agent's words between two tool calls
	Handover              // the agent's last words before the user's turn
	List                  // a list under its heading, in such last words
	Lead                  // an item that opens in bold, in such last words
	Report                // what a subagent handed back
	Pasted                // a long prompt: a report, a review, a plan of the user's
	Plan                  // a plan that was handed over or approved
	Document              // a section of a document the agent wrote
	Commit                // the body of a commit message or pull request
	User                  // the user's own words
)

var placeNames = [...]string{
	"middle", "handover", "list", "lead", "report", "pasted", "plan", "document", "commit", "user",
}

func (p Place) String() string { return placeNames[p] }

// inMessage reports whether a passage stands in a message of the agent's.
func (p Place) inMessage() bool { return p <= Lead }
