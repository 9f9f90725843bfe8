package transcript

import (
	"bytes"
	"strings"
)

// resultLimit is how much of a tool's output is looked at: enough for the
// words with which a user answers or refuses.
const resultLimit = 32 << 10

// result reads one tool_result block. Tool output itself is never evidence;
// what matters is whether the call failed, was refused, or was a question.
func (c *claude) result(block, twin []byte, e Event, emit func(*Event)) {
	e.Kind = Result
	var content []byte
	eachField(block, func(key string, val []byte) bool {
		switch key {
		case "tool_use_id":
			e.ID = text(val)
		case "is_error":
			e.Failed = isTrue(val)
		case "content":
			content = val
		}
		return true
	})
	e.heard = content
	if len(content) > 0 && content[0] == '[' {
		eachElem(content, func(part []byte) bool {
			content = field(part, "text")
			return content == nil
		})
	}
	if content = withoutOurs(content); len(content) <= resultLimit {
		words := ""
		if e.Failed || telling(content) { // decoding all output would take a fifth of the time
			words = text(content)
		}
		e.Answers = answersOf(twin, words)
		if e.Failed {
			if e.Refused, e.Text = refusal(words); !e.Refused {
				e.Output = words
			}
		} else if strings.Contains(words[:min(len(words), 200)], planApproved) {
			e.Text = "approved"
		} else {
			e.Output = outputOf(content, false)
		}
	}
	emit(&e)
	if !e.Failed && len(e.Answers) == 0 && fromSubagent(twin) {
		if words := reported(field(twin, "content")); words != "" {
			e.Kind, e.ID, e.Text, e.Answers, e.heard = Report, "", words, nil, nil
			emit(&e)
		}
	}
}

// fromSubagent recognises the result of a subagent by fields of its own.
func fromSubagent(twin []byte) bool {
	return len(twin) > 0 && twin[0] == '{' && bytes.Contains(twin, []byte(`"agentId"`)) && field(twin, "agentId") != nil && field(twin, "totalDurationMs") != nil
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
	if len(content) > 0 && content[0] == '[' {
		eachElem(content, func(part []byte) bool {
			content = field(part, "text")
			return content == nil
		})
	}
	if len(content) > resultLimit {
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
	return bytes.HasPrefix(raw, []byte(`"`+questionsAnswered)) || bytes.Contains(raw[:min(len(raw), 6*200)], []byte(planApproved))
}

// refusal reads the words with which a user turned a tool call down.
func refusal(s string) (refused bool, words string) {
	head := s[:min(len(s), 300)]
	if !strings.Contains(head, "user doesn't want to") && !strings.Contains(head, "User rejected") {
		return false, ""
	}
	_, words, found := strings.Cut(s, "the user said:")
	if !found {
		return true, ""
	}
	words, _, _ = strings.Cut(words, "\n\nNote: The user's next message")
	words, _ = typed(words)
	if strings.HasPrefix(words, "The user wants to clarify") {
		return true, ""
	}
	return true, words
}

// answersOf reads the questions that were put to the user, from the
// structured twin of the result when there is one, else from its text.
func answersOf(twin []byte, words string) []Answer {
	var out []Answer
	chosen := map[string]string{}
	if len(twin) > 0 && twin[0] == '{' {
		eachField(field(twin, "answers"), func(key string, val []byte) bool {
			chosen[text([]byte(`"`+key+`"`))] = text(val)
			return true
		})
	}
	if len(chosen) > 0 {
		for _, q := range questionsOf(field(twin, "questions")) {
			if q.Chosen = chosen[q.Question]; q.Chosen != "" {
				out = append(out, q)
			}
		}
		return out
	}
	rest, found := strings.CutPrefix(words, questionsAnswered)
	if !found {
		return nil
	}
	for len(out) < 8 {
		i := strings.IndexByte(rest, '"')
		sep := strings.Index(rest, `"="`)
		if i < 0 || sep < i {
			break
		}
		q := Answer{Question: rest[i+1 : sep]}
		rest = rest[sep+3:]
		end := strings.Index(rest, `", "`)
		if end < 0 {
			end = strings.LastIndex(rest, `". You can now`)
		}
		if end < 0 {
			end = strings.LastIndexByte(rest, '"')
		}
		if end < 0 {
			break
		}
		q.Chosen, rest = rest[:end], rest[end+1:]
		out = append(out, q)
	}
	return out
}

func questionsOf(raw []byte) []Answer {
	var out []Answer
	eachElem(raw, func(q []byte) bool {
		a := Answer{Question: text(field(q, "question")), Header: text(field(q, "header"))}
		eachElem(field(q, "options"), func(o []byte) bool {
			a.Options = append(a.Options, Option{text(field(o, "label")), text(field(o, "description"))})
			return len(a.Options) < 20
		})
		out = append(out, a)
		return len(out) < 20
	})
	return out
}
