package mockmodel

import (
	"encoding/json"
	"regexp"
	"sync"
)

var messagesPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/messages$`) })

// messages is the interface of Anthropic.
func messages() modelInterface {
	return modelInterface{
		path: messagesPath(), read: readMessages, whole: wholeMessage, stream: streamMessage, named: true,
	}
}

func readMessages(body json.RawMessage) (conversation, error) {
	var b struct {
		Model    string `json:"model"`
		Stream   bool   `json:"stream"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Name   string `json:"name"`
			Schema schema `json:"input_schema"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return conversation{}, err
	}
	c := conversation{model: b.Model, stream: b.Stream, tools: map[string]schema{}}
	for _, t := range b.Tools {
		c.tools[t.Name] = t.Schema
	}
	for _, m := range b.Messages {
		var parts []struct {
			Type    string          `json:"type"`
			Text    string          `json:"text"`
			Content json.RawMessage `json:"content"`
		}
		if json.Unmarshal(m.Content, &parts) != nil {
			c.turns = append(c.turns, turn{m.Role, textOf(m.Content)})
			continue
		}
		for _, p := range parts {
			switch p.Type {
			case "text":
				c.turns = append(c.turns, turn{m.Role, p.Text})
			case "tool_result":
				c.turns = append(c.turns, turn{resultRole, textOf(p.Content)})
			}
		}
	}
	return c, nil
}

func wholeMessage(c conversation, said saying) object {
	stop, content := "end_turn", []object{}
	if said.text != "" {
		content = append(content, object{"type": "text", "text": said.text})
	}
	if said.call != "" {
		stop = "tool_use"
		content = append(content, object{
			"type": "tool_use", "id": "toolu_" + said.callID, "name": said.call, "input": said.args,
		})
	}
	return object{
		"id": said.id, "type": "message", "role": "assistant", "model": c.model, "content": content,
		"stop_reason": stop, "stop_sequence": nil, "usage": object{"input_tokens": said.tokens, "output_tokens": 50},
	}
}

func streamMessage(whole object) []object {
	start := object{}
	for name, value := range whole {
		start[name] = value
	}
	start["content"], start["stop_reason"] = []object{}, nil
	out := []object{{"type": "message_start", "message": start}}
	content, _ := whole["content"].([]object)
	for i, block := range content {
		begun, delta := object{"type": "text", "text": ""}, object{"type": "text_delta", "text": block["text"]}
		if block["type"] == "tool_use" {
			args, _ := json.Marshal(block["input"])
			begun = object{"type": "tool_use", "id": block["id"], "name": block["name"], "input": object{}}
			delta = object{"type": "input_json_delta", "partial_json": string(args)}
		}
		out = append(out,
			object{"type": "content_block_start", "index": i, "content_block": begun},
			object{"type": "content_block_delta", "index": i, "delta": delta},
			object{"type": "content_block_stop", "index": i})
	}
	end := object{"stop_reason": whole["stop_reason"], "stop_sequence": nil}
	return append(out,
		object{"type": "message_delta", "delta": end, "usage": object{"output_tokens": 50}},
		object{"type": "message_stop"})
}
