package mcp

import (
	"context"
	"errors"
	"path/filepath"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/codes"
)

type rememberArguments struct {
	Text       string      `json:"text" says:"a title sentence, then why"`
	Type       memory.Type `json:"type,omitempty" says:"decision rejected gotcha fix preference plan question learned"`
	Tags       []string    `json:"tags,omitempty"`
	Files      []string    `json:"files,omitempty"`
	Symbol     string      `json:"symbol,omitempty" says:"that text describes"`
	Supersedes []string    `json:"supersedes,omitempty" says:"ids it replaces"`
	Answers    []string    `json:"answers,omitempty" says:"ids of questions"`
	scope
}

func addRemember(s *server, to *sdk.Server) {
	add(s, to, sdk.Tool{
		Name: "cortex_remember", Title: "Remember",
		Description:  "Write down one matter that teammates should know. Pending until it lands.",
		InputSchema:  input[rememberArguments](),
		OutputSchema: output[wholeMemory](),
	}, adds, func(ctx context.Context, w caller, in rememberArguments) (any, error) {
		note, err := noteOf(ctx, w, in)
		if err != nil {
			return nil, err
		}
		var out workspace.Remembered
		if in.Symbol == "" && note.Type != memory.Code {
			out, err = w.Remember(ctx, note)
		} else {
			out, err = s.describe(ctx, w, note, in.Symbol)
		}
		if err != nil {
			return nil, err
		}
		return cut(out.Entry), nil
	})
}

// describe writes what a note says of a symbol, or without one of the whole file.
func (s *server) describe(ctx context.Context, w caller, note workspace.Note, symbol string) (workspace.Remembered,
	error,
) {
	if len(note.Files) != 1 {
		return workspace.Remembered{}, mistake("code is described in one file", "name it in files")
	}
	out, err := codes.Describe(ctx, w.Workspace, s.host.Tags, codes.Description{
		Path: note.Files[0], Symbol: symbol, Prose: note.Text, Links: note.Links, Tags: note.Tags, Pending: true,
		Branch: note.Branch, Agent: note.Agent,
	})
	var unknown *codes.SymbolError
	if errors.As(err, &unknown) {
		err = mistake(unknown.Error(), unknown.Hint())
	}
	return out, err
}

// noteOf returns the note that a call asks for, which is always a pending one.
func noteOf(ctx context.Context, w caller, in rememberArguments) (note workspace.Note, err error) {
	if in.AllBranches {
		return note, mistake("a memory is remembered for one branch", "leave all_branches out")
	}
	switch {
	case in.Symbol != "":
		in.Type = memory.Code
	case in.Type == "":
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
