// Package mcp is the face for agents that speak the Model Context Protocol: a
// server on a pair of streams, with tools, resources and prompts over the same
// workspace as the commands. Call [Serve] with the process it runs in.
//
// It promises that the answer of a tool is the JSON object of the command of the
// same name, within bounds that an agent's context can bear; that whatever a
// repository says is marked as evidence and cannot pose as the agent's harness;
// that nothing but protocol messages is written to the stream; and that no message,
// however long or malformed, ends the server before its input ends.
//
// Repositories are opened when a call first asks for them, and looked at anew by
// every call. The tools stand one to a file.
package mcp

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"runtime"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/git-cortex/cortex/hub/client"
	"github.com/git-cortex/cortex/serve/internal/projects"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/codes"
)

// Host describes the process that a server runs in.
type Host struct {
	In      io.Reader // ends when the client goes
	Out     io.Writer // for messages of the protocol alone
	Dir     string    // a folder of the repository that calls are about which name none
	Version string
	Open    func(ctx context.Context, dir string) (*workspace.Workspace, error)
	Home    string // the user's, below which agents keep their sessions
	Status  func(ctx context.Context, w *workspace.Workspace) (*workspace.Status, error)
	Tags    codes.Tagger      // tells the symbols of code, nil for none
	Hub     *client.Client    // of other repositories, nil for none
	Note    func(line string) // tells a person, not the agent
}

// Serve answers the messages of host.In until it ends or ctx does. It returns nil
// when the input ended.
func Serve(ctx context.Context, host Host) (err error) {
	projects.Collect()
	s := newServer(host)
	defer func() { err = errors.Join(err, s.projects.Close()) }()
	err = s.sdk().Run(ctx, &stdio{in: host.In, out: host.Out})
	if errors.Is(err, io.EOF) {
		return nil
	}
	return err
}

// callLimit ends a call that would take longer; no call of a healthy repository does.
const callLimit = 5 * time.Minute

// server has what the tools of one session share.
type server struct {
	host     Host
	projects *projects.Set
	slots    chan struct{} // a call holds one while it works
}

func newServer(host Host) *server {
	return &server{
		host: host, projects: &projects.Set{Open: host.Open, Note: host.Note},
		slots: make(chan struct{}, 2*runtime.GOMAXPROCS(0)),
	}
}

//go:embed instructions.md
var instructions string

// sdk returns a server of the SDK that has all tools, resources and prompts.
func (s *server) sdk() *sdk.Server {
	out := sdk.NewServer(
		&sdk.Implementation{Name: "cortex", Title: "Cortex", Version: s.host.Version},
		&sdk.ServerOptions{
			Instructions: instructions,
			Logger:       slog.New(slog.DiscardHandler),
			// Nothing that is listed changes while the server runs.
			Capabilities: &sdk.ServerCapabilities{
				Tools:   &sdk.ToolCapabilities{},
				Prompts: &sdk.PromptCapabilities{}, Resources: &sdk.ResourceCapabilities{},
			},
			CompletionHandler: s.complete,
		})
	for _, tool := range []func(*server, *sdk.Server){
		addSearch, addDecisions, addShow, addList, addRecent, addPlan, addRelated, addBrief, addRecall,
		addRemember, addForget, addCurate, addApply, addStatus,
	} {
		tool(s, out)
	}
	addResources(s, out)
	addPrompts(s, out)
	return out
}

// begin waits for a turn to work, as long as ctx lasts.
func (s *server) begin(ctx context.Context) (end func(), err error) {
	select {
	case s.slots <- struct{}{}:
		return func() { <-s.slots }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for other calls: %w", context.Cause(ctx))
	}
}
