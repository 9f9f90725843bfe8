package memory

// The lines between which every text for an agent stands. Who writes such a
// text (projection) and who reads transcripts (capture) must mean the same
// lines, or cortex would learn from itself.
const (
	BriefingOpen  = "<!-- cortex:briefing -->"
	BriefingClose = "<!-- /cortex:briefing -->"
)
