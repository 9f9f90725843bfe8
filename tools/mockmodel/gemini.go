package mockmodel

import (
	"cmp"
	"encoding/json"
	"regexp"
	"strings"
	"sync"
)

var contentsPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`:(stream)?[gG]enerateContent$`)
})

// contents is the interface of Google.
func contents() modelInterface {
	return modelInterface{path: contentsPath(), read: readContents, whole: wholeContent, stream: streamContent}
}

func readContents(body json.RawMessage) (conversation, error) {
	type content struct {
		Role  string `json:"role"`
		Parts []struct {
			Text     *string         `json:"text"`
			Response json.RawMessage `json:"functionResponse"`
		} `json:"parts"`
	}
	var b struct {
		Contents []content `json:"contents"`
		System   content   `json:"systemInstruction"`
		Tools    []struct {
			Functions []struct {
				Name       string  `json:"name"`
				JSONSchema *schema `json:"parametersJsonSchema"`
				Schema     *schema `json:"parameters"`
			} `json:"functionDeclarations"`
		} `json:"tools"`
		Generation struct {
			JSONSchema map[string]any `json:"responseJsonSchema"`
			Schema     map[string]any `json:"responseSchema"`
		} `json:"generationConfig"`
	}
	if err := json.Unmarshal(body, &b); err != nil {
		return conversation{}, err
	}
	c := conversation{model: "mock", tools: map[string]schema{}, answer: b.Generation.JSONSchema}
	if c.answer == nil {
		c.answer = b.Generation.Schema
	}
	for _, t := range b.Tools {
		for _, f := range t.Functions {
			c.tools[f.Name] = *cmp.Or(f.JSONSchema, f.Schema, &schema{})
		}
	}
	for _, p := range b.System.Parts {
		c.summary = c.summary || p.Text != nil && len(c.tools) == 0 && strings.Contains(*p.Text, "state_snapshot")
	}
	for _, content := range b.Contents {
		for _, p := range content.Parts {
			switch {
			case p.Response != nil:
				c.turns = append(c.turns, turn{resultRole, string(p.Response)})
			case p.Text != nil:
				c.turns = append(c.turns, turn{content.Role, *p.Text})
			}
		}
	}
	return c, nil
}

func wholeContent(_ conversation, said saying) object {
	parts := []object{}
	if said.thought != "" {
		parts = append(parts, object{"text": said.thought, "thought": true})
	}
	if said.text != "" {
		parts = append(parts, object{"text": said.text})
	}
	if said.call != "" {
		parts = append(parts, object{"functionCall": object{"id": said.callID, "name": said.call, "args": said.args}})
	}
	usage := object{"promptTokenCount": said.tokens, "candidatesTokenCount": 50, "totalTokenCount": said.tokens + 50}
	return object{
		"candidates": []object{{
			"index": 0, "content": object{"role": "model", "parts": parts}, "finishReason": "STOP",
		}},
		"usageMetadata": usage, "modelVersion": "mock",
	}
}

func streamContent(whole object) []object { return []object{whole} }
