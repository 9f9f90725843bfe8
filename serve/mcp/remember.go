package mcp

import (
	"context"
	"path/filepath"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// rememberInput is the schema of [rememberArguments], as [input] reads it.
const rememberInput = "text:string=a_title_sentence,_then_why type?:string=decision_rejected_gotcha_fix_preference_plan_question_learned tags?:[string] files?:[string] supersedes?:[string]=ids_it_replaces answers?:[string]=ids_of_questions"

type rememberArguments struct {
	Text       string      `json:"text"`
	Type       memory.Type `json:"type,omitempty"`
	Tags       []string    `json:"tags,omitempty"`
	Files      []string    `json:"files,omitempty"`
	Supersedes []string    `json:"supersedes,omitempty"`
	Answers    []string    `json:"answers,omitempty"`
	scope
}

func addRemember(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_remember", Title: "Remember",
		Description:  "Write down what a teammate would want to know, one matter each. Pending until it lands.",
		InputSchema:  input(rememberInput),
		OutputSchema: object(memoryFields, parts()),
	}, adds, func(ctx context.Context, w caller, in rememberArguments) (any, error) {
		note, err := noteOf(ctx, w, in)
		if err != nil {
			return nil, err
		}
		out, err := w.Remember(ctx, note)
		if err != nil {
			return nil, err
		}
		return cut(out.Entry), nil
	})
}

// noteOf returns the note that a call asks for, which is always a pending one.
func noteOf(ctx context.Context, w caller, in rememberArguments) (note workspace.Note, err error) {
	if in.AllBranches {
		return note, mistake("a memory is remembered for one branch", "leave all_branches out")
	}
	if in.Type == "" {
		in.Type = memory.Learned
	}
	if in.Type, err = memory.ParseType(string(in.Type)); err != nil {
		return note, mistake(err.Error(), "such as decision, gotcha, fix, preference or plan")
	}
	v, err := w.View(ctx, in.view()) // a branch that is not there is an error
	if err != nil {
		return note, err
	}
	note = workspace.Note{Type: in.Type, Text: in.Text, Tags: in.Tags, Agent: w.agent, Pending: true, Branch: in.Branch}
	for _, f := range in.Files {
		if filepath.IsAbs(f) {
			if rel, inside := workspace.Below(w.Repo.Root, f); inside {
				f = rel
			}
		}
		note.Files = append(note.Files, filepath.ToSlash(filepath.Clean(f)))
	}
	for _, link := range []struct {
		rel memory.Rel
		ids []string
	}{{memory.Supersedes, in.Supersedes}, {memory.Answers, in.Answers}} {
		for _, id := range link.ids {
			found, err := v.Find(ctx, id)
			if err != nil {
				return note, err
			}
			note.Links = append(note.Links, memory.Link{Rel: link.rel, To: found.Memory.ID})
		}
	}
	return note, nil
}
