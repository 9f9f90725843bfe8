package memory

// The first and the last line of every text for an agent. The package that
// writes such texts (projection) and the one that reads transcripts (capture)
// must use the same lines; otherwise Cortex would learn from its own output.
const (
	BriefingOpen  = "<!-- cortex:briefing -->"
	BriefingClose = "<!-- /cortex:briefing -->"
)
