package transcript

import (
	"bytes"
	"slices"
	"strings"
)

// resultLimit is how much of a tool's output is looked at: enough for the
// words with which a user answers or refuses.
const resultLimit = 32 << 10

// result reads one tool_result block. Tool output itself is never evidence;
// what matters is whether the call failed, was refused, or was a question.
func (c *claude) result(block, twin []byte, e Event, emit func(*Event)) {
	e.Kind = Result
	var id, failed, content []byte
	members(block, member{"tool_use_id", &id}, member{"is_error", &failed}, member{"content", &content})
	e.ID, e.Failed, e.heard = text(id), isTrue(failed), content
	if content = withoutOurs(firstText(content)); len(content) <= resultLimit {
		e.outcome(content, twin)
	}
	emit(&e)
	if e.Failed || len(e.Answers) > 0 || !fromSubagent(twin) {
		return
	}
	if words := reported(field(twin, "content")); words != "" {
		e.Kind, e.ID, e.Text, e.heard = Report, "", words, nil
		emit(&e)
	}
}

// outcome reads what a result says: what went wrong, or how the user answered.
func (e *Event) outcome(content, twin []byte) {
	words := ""
	if e.Failed || telling(content) { // decoding all output would take a fifth of the time
		words = text(content)
	}
	e.Answers = answersOf(twin, words)
	switch {
	case e.Failed:
		if e.Refused, e.Text = refusal(words); !e.Refused {
			e.Output = words
		}
	case strings.Contains(words[:min(len(words), 200)], planApproved):
		e.Text = "approved"
	default:
		e.Output = outputOf(content, false)
	}
}

// firstText is the first text of a list of blocks, or the content itself where it is none.
func firstText(content []byte) []byte {
	if !isAt(content, 0, '[') {
		return content
	}
	eachElem(content, func(part []byte) bool {
		content = field(part, "text")
		return content == nil
	})
	return content
}

// fromSubagent recognises the result of a subagent by fields of its own.
func fromSubagent(twin []byte) bool {
	if !bytes.Contains(twin, []byte(`"agentId"`)) {
		return false
	}
	return field(twin, "agentId") != nil && field(twin, "totalDurationMs") != nil
}

// notified returns the result of a subagent that ran in the background, which the
// harness hands over in a record of the user's. It is "" for any other record.
func notified(raw []byte) string {
	if len(raw) > resultLimit || !bytes.Contains(raw[:min(len(raw), 40)], []byte("task-notification")) {
		return ""
	}
	words := text(raw)
	if !strings.HasPrefix(words, "<task-notification>") {
		return ""
	}
	return strings.TrimSpace(between(words, "<result>", "</result>"))
}

// reported is the text of what a subagent handed back, within resultLimit.
func reported(content []byte) string {
	var parts []string
	size := 0
	eachElem(content, func(part []byte) bool {
		if text(field(part, "type")) == "text" && size+len(part) <= resultLimit {
			parts = append(parts, text(field(part, "text")))
			size += len(part)
		}
		return size < resultLimit
	})
	return strings.Join(parts, "\n\n")
}

// summary is the text of a user record that the harness wrote when it compacted
// the conversation.
func summary(content []byte) string {
	if content = firstText(content); len(content) > resultLimit {
		return ""
	}
	return text(content)
}

// How the output begins in which the harness says what the user did.
const (
	questionsAnswered = "User has answered your questions:"
	planApproved      = "approved your plan"
)

// telling reports whether a raw string may begin so. A character takes six
// bytes at most.
func telling(raw []byte) bool {
	if bytes.HasPrefix(raw, []byte(`"`+questionsAnswered)) {
		return true
	}
	return bytes.Contains(raw[:min(len(raw), 6*200)], []byte(planApproved))
}

// refusal reads the words with which a user turned a tool call down.
func refusal(s string) (refused bool, words string) {
	refused, words = refusedBy(s, "the user said:", "user doesn't want to", "User rejected")
	words, _, _ = strings.Cut(words, "\n\nNote: The user's next message")
	words, _ = typed(words)
	if strings.HasPrefix(words, "The user wants to clarify") {
		words = ""
	}
	return refused, words
}

// refusedBy reports whether the beginning of what is said of a call has one of the marks of
// a refusal, and gives what stands behind a lead: the user's own words, if there are any.
func refusedBy(s, lead string, marks ...string) (refused bool, words string) {
	head := s[:min(len(s), 300)]
	if !slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(head, mark) }) {
		return false, ""
	}
	_, words, _ = strings.Cut(s, lead)
	return true, words
}

// answersOf reads the questions that were put to the user, from the
// structured twin of the result when there is one, else from its text.
func answersOf(twin []byte, words string) []Answer {
	chosen := map[string]string{}
	eachField(field(twin, "answers"), func(key string, val []byte) bool {
		chosen[text([]byte(`"`+key+`"`))] = text(val)
		return true
	})
	if len(chosen) == 0 {
		return saidAnswers(words)
	}
	return answered(questionsOf(field(twin, "questions")), func(_ int, q Answer) string { return chosen[q.Question] })
}

// answered gives the questions that have an answer, with it.
func answered(questions []Answer, chosen func(n int, q Answer) string) []Answer {
	var out []Answer
	for n, q := range questions {
		if q.Chosen = chosen(n, q); q.Chosen != "" {
			out = append(out, q)
		}
	}
	return out
}

// maxAnswers bounds the answers that are read from one text.
const maxAnswers = 8

// saidAnswers reads questions and answers as the harness puts them into words:
// User has answered your questions: "Question"="answer", "Question"="answer". You can now …
func saidAnswers(words string) []Answer {
	rest, found := strings.CutPrefix(words, questionsAnswered)
	if !found {
		return nil
	}
	var out []Answer
	for len(out) < maxAnswers {
		i, sep := strings.IndexByte(rest, '"'), strings.Index(rest, `"="`)
		if i < 0 || sep < i {
			break
		}
		q := Answer{Question: rest[i+1 : sep]}
		rest = rest[sep+len(`"="`):]
		end := answerEnd(rest)
		if end < 0 {
			break
		}
		q.Chosen, rest = rest[:end], rest[end+1:]
		out = append(out, q)
	}
	return out
}

// answerEnd is where the answer at the beginning of a text ends, -1 for nowhere.
func answerEnd(s string) int {
	if i := strings.Index(s, `", "`); i >= 0 {
		return i
	}
	if i := strings.LastIndex(s, `". You can now`); i >= 0 {
		return i
	}
	return strings.LastIndexByte(s, '"')
}

// maxQuestions bounds the questions of one call, and the options of each.
const maxQuestions = 20

func questionsOf(raw []byte) []Answer {
	var out []Answer
	eachElem(raw, func(q []byte) bool {
		a := Answer{Question: text(field(q, "question")), Header: text(field(q, "header"))}
		eachElem(field(q, "options"), func(o []byte) bool {
			a.Options = append(a.Options, Option{text(field(o, "label")), text(field(o, "description"))})
			return len(a.Options) < maxQuestions
		})
		out = append(out, a)
		return len(out) < maxQuestions
	})
	return out
}
