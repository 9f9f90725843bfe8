package mcp

import (
	"context"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/memory"
)

// addPrompts gives a server what a person may start a message with.
func addPrompts(_ *server, to *sdk.Server) {
	for _, p := range []struct {
		prompt sdk.Prompt
		say    func(args map[string]string) string
	}{
		{sdk.Prompt{
			Name: "recall", Title: "Recall", Description: "Find out what is known of a topic before working on it",
			Arguments: []*sdk.PromptArgument{
				{Name: "topic", Description: "what it is about", Required: true},
				{Name: "branch", Description: "another branch than the one checked out"},
			},
		}, func(args map[string]string) string {
			return "Find out with cortex_search what this repository's memory knows about " + quoted(args["topic"]) +
				onBranch(args["branch"]) +
				". Read what matters in full with cortex_show. Then tell me in a few lines, with ids: what was " +
				"decided and why, what was rejected, which traps there are, and what of it the code no longer " +
				"bears out."
		}},
		{sdk.Prompt{
			Name: "remember", Title: "Remember", Description: "Write down what this session settled",
			Arguments: []*sdk.PromptArgument{
				{Name: "matter", Description: "what to write down; without it, what the session settled"},
				{Name: "type", Description: "of the memory, such as decision or gotcha"},
			},
		}, func(args map[string]string) string {
			what := "what this session settled that a teammate would want to know: decisions with their reasons, " +
				"approaches that were rejected, traps and their causes"
			if args["matter"] != "" {
				what = "this: " + quoted(args["matter"])
			}
			if args["type"] != "" {
				what += ", as " + quoted(args["type"])
			}
			return "Write down with cortex_remember " + what + ". One matter to a memory, a title sentence first, " +
				"then why and for what it matters, with the files it is about. " +
				"Search with cortex_search before, and leave out what is known, what the diff says already, and " +
				"what is not settled."
		}},
		{sdk.Prompt{
			Name: "review", Title: "Review", Description: "Go through the pending memories of this branch",
			Arguments: []*sdk.PromptArgument{{Name: "branch", Description: "another branch than the one checked out"}},
		}, func(args map[string]string) string {
			return "List the pending memories" + onBranch(args["branch"]) + " with cortex_list, stage pending, page " +
				"by page. For each say in one line whether it is true by the code, worth a reviewer's time and well " +
				"worded. " +
				"Ask me before you remove one with cortex_forget. What is right lands with a commit, or by my " +
				"cortex review."
		}},
	} {
		to.AddPrompt(&p.prompt, func(_ context.Context, req *sdk.GetPromptRequest) (*sdk.GetPromptResult, error) {
			return &sdk.GetPromptResult{
				Description: p.prompt.Description,
				Messages: []*sdk.PromptMessage{{
					Role:    "user",
					Content: &sdk.TextContent{Text: p.say(req.Params.Arguments)},
				}},
			}, nil
		})
	}
}

// quoted puts the words of a person on one line and in quotes.
func quoted(s string) string {
	return `"` + strings.ReplaceAll(memory.OneLine(memory.Defang(s)), `"`, `'`) + `"`
}

func onBranch(name string) string {
	if name == "" {
		return ""
	}
	return ", for the branch " + quoted(name)
}
