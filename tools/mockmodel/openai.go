package mockmodel

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

var (
	responsesPath   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/responses$`) })
	completionsPath = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`/chat/completions$`) })
)

// responses is the newer interface of OpenAI.
func responses() modelInterface {
	return modelInterface{
		path: responsesPath(), read: readResponses, whole: wholeResponse, stream: streamResponse, named: true,
	}
}

// completions is the older interface of OpenAI, which many others have.
func completions() modelInterface {
	return modelInterface{
		path: completionsPath(), read: readCompletions, whole: wholeCompletion, stream: streamCompletion, done: true,
	}
}

// toolSearch is the name of the call by which Codex looks for tools that a request
// does not name.
const toolSearch = "tool_search"

// applyPatch is the name of its tool whose argument is a text, and no JSON.
const applyPatch = "apply_patch"

func readResponses(body json.RawMessage) (conversation, error) {
	type tool struct {
		Type       string `json:"type"`
		Name       string `json:"name"`
		Parameters schema `json:"parameters"`
	}
	var b struct {
		Model  string          `json:"model"`
		Stream bool            `json:"stream"`
		Input  json.RawMessage `json:"input"`
		Tools  []struct {
			tool
			Tools []tool `json:"tools"` // of a namespace
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return conversation{}, err
	}
	c := conversation{model: b.Model, stream: b.Stream, tools: map[string]schema{}}
	for _, t := range b.Tools {
		c.tools[cmp.Or(t.Name, t.Type)] = t.Parameters
		for _, inner := range t.Tools {
			c.tools[t.Name+"."+inner.Name] = inner.Parameters
		}
	}
	var items []struct {
		Type    string          `json:"type"`
		Role    string          `json:"role"`
		Content json.RawMessage `json:"content"`
		Output  json.RawMessage `json:"output"`
		Tools   []struct {
			tool
			Tools []tool `json:"tools"`
		} `json:"tools"` // that a search found
	}
	if json.Unmarshal(b.Input, &items) != nil {
		c.turns = append(c.turns, turn{userRole, textOf(b.Input)})
	}
	for _, item := range items {
		for _, found := range item.Tools {
			for _, inner := range found.Tools {
				c.tools[found.Name+"."+inner.Name] = inner.Parameters
			}
		}
		switch {
		case strings.HasSuffix(item.Type, "_output"):
			c.turns = append(c.turns, turn{resultRole, textOf(item.Output)})
		case item.Type == "agent_message": // of the one who sent this subagent
			c.turns = append(c.turns, turn{userRole, textOf(item.Content)})
		case item.Role != "":
			c.turns = append(c.turns, turn{item.Role, textOf(item.Content)})
		}
	}
	return c, nil
}

func wholeResponse(c conversation, said saying) object {
	output := []object{}
	if said.thought != "" {
		summary := object{"type": "summary_text", "text": said.thought}
		output = append(output, object{"type": "reasoning", "id": "rs_" + said.id, "summary": []object{summary}})
	}
	if said.text != "" {
		text := object{"type": "output_text", "text": said.text, "annotations": []object{}}
		output = append(output, object{
			"type": "message", "role": "assistant", "id": said.id, "status": "completed", "content": []object{text},
		})
	}
	if said.call != "" {
		output = append(output, responseCall(said))
	}
	usage := object{
		"input_tokens": said.tokens, "output_tokens": 50, "total_tokens": said.tokens + 50,
		"input_tokens_details": object{"cached_tokens": 0}, "output_tokens_details": object{"reasoning_tokens": 0},
	}
	return object{
		"id": "resp_" + said.id, "object": "response", "created_at": 0, "status": "completed", "model": c.model,
		"output": output, "usage": usage,
	}
}

func responseCall(said saying) object {
	if said.call == toolSearch {
		return object{
			"type": "tool_search_call", "call_id": said.callID, "execution": "client", "status": "completed",
			"arguments": said.args,
		}
	}
	if text, ok := said.args["input"].(string); ok && said.call == applyPatch {
		return object{
			"type": "custom_tool_call", "id": "ctc_" + said.callID, "call_id": said.callID, "name": said.call,
			"input": text, "status": "completed",
		}
	}
	args, _ := json.Marshal(said.args)
	call := object{
		"type": "function_call", "id": "fc_" + said.callID, "call_id": said.callID, "name": said.call,
		"arguments": string(args), "status": "completed",
	}
	if space, name, ok := strings.Cut(said.call, "."); ok {
		call["namespace"], call["name"] = space, name
	}
	return call
}

func streamResponse(whole object) []object {
	begun := object{"id": whole["id"], "object": "response", "status": "in_progress", "output": []object{}}
	out := []object{{"type": "response.created", "response": begun}}
	items, _ := whole["output"].([]object)
	for i, item := range items {
		out = append(out, object{"type": "response.output_item.added", "output_index": i, "item": item})
		if content, ok := item["content"].([]object); ok {
			out = append(out, object{
				"type": "response.output_text.delta", "item_id": item["id"], "output_index": i, "content_index": 0,
				"delta": content[0]["text"],
			})
		}
		out = append(out, object{"type": "response.output_item.done", "output_index": i, "item": item})
	}
	out = append(out, object{"type": "response.completed", "response": whole})
	for i := range out {
		out[i]["sequence_number"] = i
	}
	return out
}

func readCompletions(body json.RawMessage) (conversation, error) {
	var b struct {
		Model    string `json:"model"`
		Stream   bool   `json:"stream"`
		Messages []struct {
			Role    string          `json:"role"`
			Content json.RawMessage `json:"content"`
		} `json:"messages"`
		Tools []struct {
			Function struct {
				Name       string `json:"name"`
				Parameters schema `json:"parameters"`
			} `json:"function"`
		} `json:"tools"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return conversation{}, err
	}
	c := conversation{model: b.Model, stream: b.Stream, tools: map[string]schema{}}
	for _, t := range b.Tools {
		c.tools[t.Function.Name] = t.Function.Parameters
	}
	for _, m := range b.Messages {
		role := m.Role
		if role == "tool" {
			role = resultRole
		}
		c.turns = append(c.turns, turn{role, textOf(m.Content)})
	}
	return c, nil
}

func wholeCompletion(c conversation, said saying) object {
	message, end := object{"role": "assistant", "content": said.text}, "stop"
	if said.thought != "" {
		message["reasoning_content"] = said.thought
	}
	if said.call != "" {
		end = "tool_calls"
		args, _ := json.Marshal(said.args)
		call := object{
			"index": 0, "id": said.callID, "type": "function",
			"function": object{"name": said.call, "arguments": string(args)},
		}
		message["tool_calls"] = []object{call}
	}
	usage := object{"prompt_tokens": said.tokens, "completion_tokens": 50, "total_tokens": said.tokens + 50}
	return object{
		"id": said.id, "object": "chat.completion", "created": 0, "model": c.model, "usage": usage,
		"choices": []object{{"index": 0, "message": message, "finish_reason": end}},
	}
}

func streamCompletion(whole object) []object {
	choices, _ := whole["choices"].([]object)
	chunk := func(choices []object, usage any) object {
		return object{
			"id": whole["id"], "object": "chat.completion.chunk", "created": 0, "model": whole["model"],
			"choices": choices, "usage": usage,
		}
	}
	return []object{
		chunk([]object{{"index": 0, "delta": choices[0]["message"], "finish_reason": nil}}, nil),
		chunk([]object{{"index": 0, "delta": object{}, "finish_reason": choices[0]["finish_reason"]}}, nil),
		chunk([]object{}, whole["usage"]),
	}
}
