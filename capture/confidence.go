package capture

import "github.com/git-cortex/cortex/capture/session"

// Confidence beside that of classes.tsv.
const (
	confUser     = 0.9              // a choice that the agent tells of in full, at least
	confRule     = 0.7              // a standing rule of the user, until somebody has looked at it, at least
	confUntitled = 0.49             // what nobody would understand
	confNoted    = 0.3              // below it, nothing is said of it in the session record
	confLands    = session.Measured // what the weights find worth a reviewer's time
	capLands     = 0.95
)
