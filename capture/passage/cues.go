package passage

import (
	"strings"
	"sync"

	"github.com/git-cortex/cortex/memory"
)

// Place is where a passage stands.
type Place int

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

func (p Place) String() string {
	switch p {
	case Middle:
		return "middle"
	case Handover:
		return "handover"
	case List:
		return "list"
	case Lead:
		return "lead"
	case Report:
		return "report"
	case Pasted:
		return "pasted"
	case Plan:
		return "plan"
	case Document:
		return "document"
	case Commit:
		return "commit"
	case User:
		return "user"
	}
	return "nowhere"
}

// WeightOf is the confidence a passage starts with. What stands in the
// agent's last message was meant for the reader; what stands between two tool
// calls was thinking aloud.
func WeightOf(p Place) float64 {
	switch p {
	case Middle:
		return 0.20
	case Handover:
		return 0.32
	case List:
		return 0.30
	case Lead:
		return 0.42
	case Report, Pasted:
		return 0.25
	case Document, Plan:
		return 0.35
	case Commit:
		return 0.40
	case User:
		return 0.40
	}
	return 0
}

// Weights of what a passage looks like.
const (
	weightIdentifier = 0.10 // names something in code
	weightLong       = 0.05 // twelve words or more
	weightShort      = -0.25
	weightStressed   = 0.10  // opens with a whole sentence in bold
	weightDangling   = -0.30 // ends in a colon: what it announces was code
)

// What a heading suggests about the type counts for more than what the words
// below it do; a repair is a repair although it names the defect.
const (
	typeHeading = 0.08
	typeRepair  = 0.12
)

// Group is one row of the table: words that speak for or against a
// passage. Type is the type they suggest.
type Group struct {
	Name   string
	Weight float64
	Type   memory.Type

	phrases string // separated by "|"
}

func cueTable() []Group {
	return []Group{
		{"cause", 0.15, memory.Learned, "because|because of|since it|since the|so that|otherwise|which means|that means|this means|due to|caused by|the reason|as a result|leading to|leads to|therefore|hence|in order to|root cause|turns out"},
		{"limit", 0.17, memory.Gotcha, "doesn't|does not|don't|do not|didn't|can't|cannot|can not|won't|will not|isn't|is not|aren't|are not|wasn't|never|no longer|not supported|unsupported|without|unless|only supports|only works|only covers|no such|not included|not possible|impossible|nothing"},
		{"trap", 0.18, memory.Gotcha, "silently|fails|failed|fail|failing|breaks|broken|breaking|breakage|leak|leaks|stale|race condition|corrupted|corrupt|duplicated|duplication|twice|inconsistent|lost|lose|loses|mutates|overwrites|overwritten|drift|expire|expires|crash|crashes|hang|hangs|deadlock|unexpected|wrong|mismatch|schema error|bug|careful|beware|be aware|caveat|gotcha|limitation|risk|vulnerable|conflict|conflicts|invalid|missing|ignored|ignores|case sensitive|will bite|overengineered|flaky|blocks|blocked|not atomic|non atomic|rolled back|interfering|too slow|too large"},
		{"norm", 0.13, memory.Decision, "must|must not|always|should be|shouldn't|should not|required|ban|bans|banned|mandatory|by default|only when|only if|not allowed|forbidden|policy|explicitly|defaults to|at most|at least|exactly one|enforced"},
		{"choice", 0.15, memory.Decision, "instead of|rather than|in favor of|in favour of|chose|chosen|decided|opted|switched|switch to|replaced|replaces|renamed|rename|deleted|dropped|removed|keeps|kept|went with|go with|overrides|now uses|now use|now only|moved to|moves from|deferred|defer|excluded|excludes|gated|opt out|opt in|safe to merge|request changes|approved|enabled by default|disabled by default|single"},
		{"repair", 0.12, memory.Fix, "fixed|fixes|the fix|fix is|resolved|solved|was caused|now works|now loads|now handles|now checks|now returns|corrected|prevents|no longer fails"},
		{"structure", 0.10, memory.Architecture, "lives in|live in|stored in|is stored|consists of|is built|pattern|architecture|flow|layer|derived from|responsible for|registered|runs every|is called|calls|orchestrates|source of truth|interface|precedence|in order|resolution|at build time|at runtime|baked|injected|injects|generates|generated|public|thread safe|implements|works by|hooks"},
		{"location", 0.12, memory.Learned, "it's the|it's in|is located|is defined|are defined|located at|defined in|comes from|found in|is at|are in|entry point"},
		{"contrast", 0.06, memory.Learned, "but|however|yet|although|even though|actually|whereas|despite|still"},
		{"declined", 0.10, memory.Rejected, "declined|turned down|ruled out|decided against|rejected|discarded|abandoned"},
		{"convention", 0.08, memory.Preference, "convention|conventions|house style|style guide|guideline|guidelines|prefers|preferred"},
		{"open", 0.19, memory.Question, "unanswered|unclear|unresolved|open question|open questions|not decided|undecided|to be decided|tbd|needs a decision|not sure|unknown|remains to|still open|left open|discretion"},
		{"todo", 0.15, memory.Plan, "next step|next steps|still need|still needs|manual step|manual steps|required setup|follow up|followup|remaining|to do|deferred|later phase|out of scope|before merging|not yet|once you|you'll need to|you need to|you will need to|noted for later"},
		{"done", 0.10, memory.Progress, "merged|pushed|committed|implemented|created|completed|complete|updated|added|done|finished|deployed|released|published|passes|documented|migrated|landed|set up|installed|wrote|successfully"},

		{"transient", -0.30, "", "i'll|i will|let me|i'm going|going to|i can|i could|updating|let's|i need|now i|i should|we could|you could|you can|for now i|take a look|i'd|i would"},
		{"offer", -0.35, "", "would you like|want me to|shall i|should i|do you want|let me know|if you'd like|if you want|happy to|feel free|ready to|would you prefer|what would you|which would you"},
		{"proposal", -0.25, "", "option|option a|option b|option 1|option 2|option 3|recommend|recommended|recommendation|suggest|suggested|suggestion|consider|considering|alternatively|alternative|alternatives|proposal|proposed|could be|might be|maybe|perhaps|pros|cons|effort|my take|possible|potential|potentially|imagine|hypothetical|would be|would need|would require|would mean"},
		{"absent", -0.10, "", "doesn't exist|does not exist|don't exist|no such file|not found|is empty"},
		{"status", -0.20, "", "all tests pass|tests pass|all tests|tests passed|all checks|lint is clean|linting is clean|lint clean|all green|no issues|no errors|looks good|works correctly|as expected|cases pass|copy paste|production ready|comprehensive|build succeeds|builds successfully|all pass|passing"},
		{"routine", -0.15, "", "docs|documentation|formatting|tests|readme|changelog|typo|whitespace|comment|comments|unit tests|test coverage|coverage"},
		{"example", -0.10, "", "for example|example|for instance|sample|placeholder|scenario|user sees|users see|user runs|users just"},
		{"praise", -0.10, "", "great|good|excellent|perfect|nice|well|clean|solid|clear"},
	}
}

// headingTable says what a heading, a bold lead or the line before a list
// makes of what stands under it.
func headingTable() []Group {
	return []Group{
		{"heading: core", 0.25, "", "problem statement|never included|known risk|known issues|root cause|key decisions|decision outcome|open questions|discretion|deferred|constraints|lessons learned|consequences"},
		{"heading: rejected", 0.18, memory.Rejected, "declined|rejected|removed|dropped|deleted|ruled out|turned down|not included|never included|excluded|non goals|out of scope|won't do|discarded|violations removed"},
		{"heading: decided", 0.18, memory.Decision, "decision|decisions|decided|chosen|agreed|rename|key design|design choices|simplified|constraints|requirements|rules|default|defaults|default behavior|semantics|policy|verdict"},
		{"heading: open", 0.22, memory.Question, "open question|open questions|unresolved|discretion|unanswered|to be decided|tbd|unknowns"},
		{"heading: later", 0.18, memory.Plan, "next steps|required setup|manual steps|remaining|deferred|follow up|noted for later|later|todo|what's left|still to do|setup required|phase 2|future work"},
		{"heading: trap", 0.18, memory.Gotcha, "problem|problem statement|problems|issue|issues|critical|blocking|concerns|concern|risk|risks|limitation|limitations|caveat|caveats|gotcha|gotchas|warning|warnings|known issues|blockers|impact|pitfalls|important|findings|finding|one thing to be aware|worth knowing|note|notes|heads up|cause|root cause|why"},
		{"heading: fixed", 0.15, memory.Fix, "fixed|fixes|fix|resolved|solution|gap|issues fixed|the fix"},
		{"heading: built", 0.12, memory.Architecture, "architecture|how it works|design|flow|structure|current setup|overview|security|context|resolution|data model|boundaries|implementation|behavior|behaviour|key points|highlights|key highlights|key changes|approach|insight|key insight|takeaway|takeaways|lesson|lessons"},
		{"heading: done", 0.08, memory.Progress, "what changed|changes|summary|changed|completed|created|what i did|done|results|updated|added"},
		{"heading: offer", -0.40, "", "option|options|alternative|alternatives|pros|cons|recommendation|recommendations|recommended|proposal|proposed|arguments|approach a|approach b|trade offs|tradeoffs|trade off|suggestion|suggestions|would you like|want me|potential|possible|recommended action|ideas|path forward|comparison|use cases|key features|available|also available|what would you|nice to have|use case|vs"},
		{"heading: chores", -0.30, "", "location|locations|evidence|affected|affected files|components|technical details|flow chart|tests|testing|test plan|documentation|docs|formatting|verification|changelog|files|file|files changed|files modified|files created|acceptance criteria|work log|resources|references|example|examples|usage|usage examples|usage example|snippet|ready to|test coverage|created todo|quick start|getting started|effort|metrics|success metrics|checklist|prerequisites|output"},
	}
}

// userTable is the evidence table for the user's own words.
func userTable() []Group {
	return []Group{
		{"wish", 0.25, memory.Preference, "i want|we want|i don't want|i do not want|i would like|i'd like|i prefer|prefer|i like|i really like|i hate|i don't like|i am worried|worried|worry|ok with|fine with|comfortable|would rather|i'd rather|i don't think|i think|we should|i wish|i need|not happy"},
		{"rule", 0.28, memory.Preference, "always|never|from now on|make sure|must|don't|do not|stop|in the future|every time|only|please don't|remember"},
		{"choice", 0.25, memory.Decision, "instead of|instead|rather than|let's|lets|let us|go with|going with|we'll|we will|we use|we don't|we do not|stick|keep|replace|drop|remove|use|rename|by default|should be|should not|shouldn't|should|no need|not needed|convinced|defer|later|skip|leave|merge|split|move|store|add it|do nothing|both"},
		{"fact", 0.12, memory.Learned, "because|won't|doesn't|does not|can't|cannot|isn't|aren't|there is no|there's no|is wrong|broken|since|the risk|not really|already|actually|the problem|the issue|we have|means|should not"},
		{"refusal", 0.20, memory.Rejected, "no|nope|not|too much|to much|too big|to big|too complex|overkill|not feasible|wrong|made up|make it up|made it up|revert|undo|not what|don't need"},
		{"scope", 0.15, memory.Decision, "it|them|everything|all|this|that|these|those|again|both"},
		{"request", -0.22, "", "can you|could you|please|have a look|take a look|look at|check|explain|show me|tell me|what|how|why|where|when|which|who|is there|are there|do we|does it|did you|continue|go ahead|implement|commit|push|run|help me|summarize|analyze|analyse|review|find|search|read|write|create|update|investigate"},
	}
}

// UserCues finds the groups of the table for the user's own words.
func UserCues() *Index { return userCues() }

// Index finds the groups of a table in a sequence of words, each word
// looked up once.
type Index struct {
	Groups []Group
	byWord map[string][]phrase
}

type phrase struct {
	rest  []string
	group int
}

func newIndex(groups []Group) *Index {
	ix := &Index{Groups: groups, byWord: map[string][]phrase{}}
	for g, row := range groups {
		for p := range strings.SplitSeq(row.phrases, "|") {
			words := strings.Fields(p)
			ix.byWord[words[0]] = append(ix.byWord[words[0]], phrase{words[1:], g})
		}
	}
	return ix
}

// Hits counts, for each group, the phrases found.
func (ix *Index) Hits(words []string) []int {
	var n []int
	for i, w := range words {
		for _, p := range ix.byWord[w] {
			if len(words)-i-1 < len(p.rest) {
				continue
			}
			same := true
			for k, r := range p.rest {
				if words[i+1+k] != r {
					same = false
					break
				}
			}
			if same {
				if n == nil {
					n = make([]int, len(ix.Groups))
				}
				n[p.group]++
			}
		}
	}
	return n
}

var (
	cues     = sync.OnceValue(func() *Index { return newIndex(cueTable()) })
	headings = sync.OnceValue(func() *Index { return newIndex(headingTable()) })
	userCues = sync.OnceValue(func() *Index { return newIndex(userTable()) })
)

// Cues counts the cues of some groups of the table in a sequence of words.
func Cues(words []string, names ...string) int {
	hits := cues().Hits(words)
	if hits == nil {
		return 0
	}
	n := 0
	for _, name := range names {
		n += hits[groupNamed(name)]
	}
	return n
}

func groupNamed(name string) int {
	for i, g := range cues().Groups {
		if g.Name == name {
			return i
		}
	}
	return -1
}
