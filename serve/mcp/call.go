package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/internal/answer"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// scope says what a call is about. It is a part of every tool's arguments.
type scope struct {
	Branch      string `json:"branch,omitempty"`
	AllBranches bool   `json:"all_branches,omitempty"`
	Root        string `json:"root,omitempty"`
}

func (s scope) about() scope { return s }

// view is the state that the call looks at.
func (s scope) view() workspace.ViewOptions {
	return workspace.ViewOptions{Branch: s.Branch, AllBranches: s.AllBranches}
}

// Agent names who wrote a memory through a server whose client has no name.
const Agent = "mcp"

// arguments are those of any tool.
type arguments interface{ about() scope }

// kind says what a tool does to the memories.
type kind int

const (
	reads   kind = iota // nothing
	adds                // something is added, once
	removes             // something is removed
)

// annotations tell a client what it may let an agent do without asking.
func (k kind) annotations() *sdk.ToolAnnotations {
	no, destroys := false, k == removes
	return &sdk.ToolAnnotations{
		ReadOnlyHint: k == reads, IdempotentHint: true, DestructiveHint: &destroys,
		OpenWorldHint: &no,
	}
}

// caller is a repository as it is during one call, and the name of who calls.
type caller struct {
	*workspace.Workspace
	agent string
	home  string // of the user
}

// add gives a server a tool. Its answer is what work returns, as [reply] has it; an
// error is an answer too, so that the agent reads what to do. The SDK could derive
// schemas from types and check calls against them, but that costs a server 20 ms
// before its first answer.
func add[In arguments](s *server, to *sdk.Server, t sdk.Tool, does kind,
	work func(context.Context, caller, In) (any, error),
) {
	t.Annotations = does.annotations()
	h := &handler{s, func(arguments json.RawMessage) (scope, task, error) {
		var in In
		err := decode(arguments, &in)
		return in.about(), func(ctx context.Context, w caller) (any, error) { return work(ctx, w, in) }, err
	}}
	to.AddTool(&t, h.answer)
}

// task is the work of one call.
type task func(context.Context, caller) (any, error)

// handler answers the calls of a tool, by one piece of code for all tools: read makes a task of the arguments.
type handler struct {
	*server
	read func(arguments json.RawMessage) (scope, task, error)
}

func (h *handler) answer(ctx context.Context, req *sdk.CallToolRequest) (*sdk.CallToolResult, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, callLimit, fmt.Errorf("the call took longer than %s", callLimit))
	defer cancel()
	defer progress(ctx, req)()
	about, work, err := h.read(req.Params.Arguments)
	if err != nil {
		return failed(err), nil
	}
	out, err := h.call(ctx, about, func(w *workspace.Workspace) (any, error) {
		return work(ctx, caller{w, agentOf(req.ClientInfo()), h.host.Home})
	})
	if err != nil {
		return failed(err), nil
	}
	r, err := reply(out)
	if err != nil {
		return failed(err), nil
	}
	return r, nil
}

// decode reads the arguments of a call into a pointer.
func decode(data json.RawMessage, in any) error {
	if len(data) == 0 {
		return nil
	}
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(in); err != nil {
		return mistake("the arguments cannot be read: "+strings.TrimPrefix(err.Error(), "json: "),
			"see the input schema of the tool")
	}
	return nil
}

// agentOf is how the source of a memory names a client: by its own name where that
// is a word.
func agentOf(client *sdk.Implementation) string {
	const longest = 40
	if client == nil || len(client.Name) > longest {
		return Agent
	}
	name := strings.ToLower(strings.ReplaceAll(client.Name, " ", "-"))
	if name == memory.Human || !agentName().MatchString(name) {
		return Agent
	}
	return name
}

var agentName = lazy.Pattern(`^[a-z0-9_.-]+$`)

// call does the work of a call when it is its turn.
func (s *server) call(ctx context.Context, about scope, work func(*workspace.Workspace) (any, error)) (any, error) {
	end, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	dir, err := s.root(about.Root)
	if err != nil {
		return nil, err
	}
	w, done, err := s.projects.Use(ctx, dir)
	if err != nil {
		return nil, err
	}
	defer done()
	return work(w)
}

// root is the folder of the repository that a call is about.
func (s *server) root(asked string) (string, error) {
	switch {
	case asked == "":
		return s.host.Dir, nil
	case !filepath.IsAbs(asked):
		return "", mistake("root must be an absolute path",
			"give the path of the repository, or leave root out for "+s.host.Dir)
	}
	return filepath.Clean(asked), nil
}

// mistake is an error in how a tool was called.
func mistake(text, hint string) error { return &usage{errors.New(text), hint} }

type usage struct {
	error
	hint string
}

// failed is the answer of a call that did not work: the object that a command
// prints for the same error.
func failed(err error) *sdk.CallToolResult {
	fault := answer.Explain(err)
	var u *usage
	if errors.As(err, &u) {
		fault.Kind, fault.Hint = answer.KindUsage, u.hint
	}
	text, _, err := encoded(fault)
	if err != nil {
		text = fault.Error
	}
	return &sdk.CallToolResult{IsError: true, Content: []sdk.Content{&sdk.TextContent{Text: text}}}
}

// progressEvery is how often a client hears that a long call goes on.
const progressEvery = time.Second

// progress tells a client that asked for it that the call goes on, until the
// function that it returns is called.
func progress(ctx context.Context, req *sdk.CallToolRequest) (stop func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(progressEvery)
		defer tick.Stop()
		for n := 1; ; n++ {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
			_ = req.Session.NotifyProgress(ctx, &sdk.ProgressNotificationParams{
				ProgressToken: token, Progress: float64(n), Message: "reading the repository",
			})
		}
	}()
	return func() {
		cancel()
		<-ended
	}
}
