package capture

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/capture/passage"
	"github.com/git-cortex/cortex/capture/prose"
	"github.com/git-cortex/cortex/capture/sentence"
	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/memory"
)

// confAgreed is the confidence of a decision that a bare yes made.
const confAgreed = 0.7

// approval makes a decision of a bare yes, in the words of the agent's offer or,
// where the offer only points back, of the message in which it then told of it. It
// reports whether the words were such a yes to an offer.
func (w *weigher) approval(s *spoken, body string) bool {
	r, ok := replyTo(body)
	if !ok || r.pick > 0 || !r.approves || r.rest != "" {
		return false
	}
	offer, found := offerIn(s.before)
	if !found {
		return false
	}
	d := draft{
		typ: memory.Decision, layer: session.LayerUser, conf: confAgreed, record: s.record, time: s.time, span: body,
		cue: "approval", place: passage.User, title: agreedTo(offer),
	}
	switch {
	case offersWork(offer):
		return true
	case !pointsBack(offer):
		d.text = "User: " + quoted(body) + "\n" + askedLine + prose.ClipWords(questionIn(s.before), 40)
	case s.next == nil || !w.carriedOut(&d, s):
		return true
	}
	w.add(d)
	return true
}

// carriedOut words a decision as the agent did when it had carried it out: by the
// first sentence of its message that says how things are now.
func (w *weigher) carriedOut(d *draft, s *spoken) bool {
	for _, b := range prose.Blocks(s.next.text) {
		for _, x := range prose.Sentences(b.Text) {
			x = strings.TrimRight(x, ":")
			if !saysHowItIs(x) {
				continue
			}
			d.title, d.record, d.time = x, s.next.record, s.next.time
			d.text = strings.TrimSpace("User: " + quoted(s.text) + "\n" + askedLine + prose.ClipWords(questionIn(s.before), 40))
			return true
		}
	}
	return false
}

// saysHowItIs holds for a sentence that names something in code and says what was
// decided of it.
func saysHowItIs(t string) bool {
	words := prose.Words(t)
	if len(words) < 6 || len(words) > 35 || len(t) > passage.TitleLimit || prose.Identifiers(t) == 0 || passage.Announces(t) || passage.Reports(t) || passage.Asks(t) || sentence.Opening(words[0]) == "past" {
		return false
	}
	return slices.Contains(words, "now") || passage.Cues(words, "choice", "cause", "norm") > 0
}

// offers are the words with which an agent asks for a yes to what it would do.
var offers = [...]string{
	"would you like me to", "do you want me to", "want me to", "shall i", "should i", "may i",
	"soll ich", "möchtest du, dass ich", "willst du, dass ich", "darf ich",
	"¿quieres que", "quieres que", "¿debo", "¿puedo",
	"veux-tu que je", "voulez-vous que je", "dois-je", "puis-je",
}

// offerIn returns the deed that the agent offers in the question that ends its
// message.
func offerIn(md string) (string, bool) {
	blocks := prose.Blocks(md)
	if len(blocks) == 0 {
		return "", false
	}
	for _, s := range slices.Backward(prose.Sentences(blocks[len(blocks)-1].Text)) {
		if !strings.HasSuffix(s, "?") {
			continue
		}
		lower := strings.ToLower(s)
		for _, o := range offers {
			if i := strings.Index(lower, o); i >= 0 && len(lower) == len(s) {
				return strings.TrimSpace(strings.TrimSuffix(s[i+len(o):], "?")), true
			}
		}
	}
	return "", false
}

// pointsWithin is how many words of an offer are looked at for one that points back;
// later ones mostly point to what the offer itself names.
const pointsWithin = 4

// agreedTo is the title of a decision to do what was offered.
func agreedTo(offer string) string { return "Agreed: " + offer }

// offersWork holds for an offer of a step of work, which the history shows: it says
// nothing of the project.
func offersWork(offer string) bool {
	words := prose.Words(offer)
	if len(words) == 0 {
		return true
	}
	switch words[0] {
	case "commit", "push", "merge", "run", "rerun", "continue", "proceed", "start", "begin", "check", "look", "review", "investigate", "explore", "search", "file",
		"open", "show", "explain", "draft", "try", "verify", "test", "create", "clean", "stage", "amend", "rebase", "post", "reply", "dig", "walk", "kill", "restart", "rebuild", "install", "close", "delete", "analyze", "analyse",
		"committen", "pushen", "starten", "weitermachen", "fortfahren", "haga", "suba", "empiece", "siga", "committe", "pousse", "commence", "continuer", "lancer":
		return true
	}
	return slices.ContainsFunc(words, func(x string) bool { return x == "commit" || x == "push" || x == "committen" || x == "pr" })
}

// pointsBack holds for an offer that cannot be understood without what was said
// before it, and for one that says next to nothing.
func pointsBack(offer string) bool {
	words := prose.Words(offer)
	if words[0] == "implement" || words[0] == "apply" || words[0] == "make" || words[0] == "do" || words[0] == "go" {
		return true // what was laid out before
	}
	if len(words) < 5 || prose.Identifiers(offer) == 0 && len(words) < 7 {
		return true
	}
	return slices.ContainsFunc(words[:pointsWithin], func(x string) bool {
		switch x {
		case "this", "that", "these", "those", "it", "them", "both", "either", "so", "all", "das", "dies", "diese", "dieses", "es", "sie", "beide", "eso", "esto", "lo", "ça", "cela", "le":
			return true
		}
		return false
	})
}

// agrees holds for words that begin by agreeing to the message before them.
func agrees(prompt string) bool {
	r, _ := replyTo(ownWords(prompt))
	return r.approves
}

// openShare is the share of the sentences of a passage that propose something from
// which on it is a proposal.
const openShare = 0.5

// open holds for a proposal of the agent that the user did not agree to.
func (d *draft) open() bool {
	if d.unit == nil || d.unit.Setting == nil || d.unit.Setting.Agreed {
		return false
	}
	switch d.place {
	case passage.Middle, passage.Handover, passage.List, passage.Lead, passage.Report:
	default:
		return false
	}
	open, all := 0, 0
	parts := d.unit.Parts
	if len(parts) == 0 {
		parts = []passage.Passage{*d.unit}
	}
	for i := range parts {
		offered := introduces(parts[i].Intro)
		for _, s := range parts[i].Own() {
			all++
			if offered || proposes(s) {
				open++
			}
		}
	}
	return open > 0 && float64(open) >= openShare*float64(all)
}

// proposes holds for a sentence that says what could be done.
func proposes(s string) bool {
	t := " " + strings.Join(prose.Words(s), " ") + " "
	for _, p := range []string{
		" recommend ", " i'd suggest ", " suggest ", " propose ", " consider ", " could be ", " we could ", " you could ", " alternatively ",
		" option a ", " option b ", " option c ", " option 1 ", " option 2 ", " option 3 ",
	} {
		if strings.Contains(t, p) {
			return true
		}
	}
	return false
}

// introduces holds for the line over a list of what could be done.
func introduces(intro string) bool {
	t := " " + strings.Join(prose.Words(intro), " ") + " "
	return proposes(intro) || strings.Contains(t, " options ") || strings.Contains(t, " would be ")
}
