package capture

import "github.com/git-cortex/cortex/capture/session"

// Confidence that a layer gives by itself.
const (
	confTag      = 1.0
	confAnswer   = 0.95
	confUser     = 0.9
	confRule     = 0.7 // a standing rule of the user, until somebody has looked at it
	confPlan     = 0.9
	confRejected = 0.8              // the options that were not chosen, with their drawbacks
	confUntitled = 0.49             // what nobody would understand
	confNoted    = 0.3              // below it, nothing is said of it in the session record
	confLands    = session.Measured // what the weights find worth a reviewer's time
	capLands     = 0.95
)
