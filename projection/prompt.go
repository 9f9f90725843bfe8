package projection

// PromptInput is what a prompt's context is made from.
type PromptInput struct {
	Items  []Item // relevant ones only, the most relevant first; at most [PromptItems] are used
	Tokens int    // 0 means [PromptTokens]
	Chars  int    // as in [BriefInput]
	Fence  string // as in [BriefInput]
}

// Limits of what is added to a prompt (DESIGN §7).
const (
	PromptItems  = 5
	PromptTokens = 600
)

// PromptContext words the few memories that concern a prompt, in the order
// given, labelled and fenced as in a [Brief]. Text is "" without items.
func PromptContext(in PromptInput) Briefing { return Briefing{} }
