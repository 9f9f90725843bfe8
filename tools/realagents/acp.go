package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// message is a request, an answer or a notification of the Agent Client Protocol, by which an
// editor talks to an agent.
type message struct {
	Version string         `json:"jsonrpc"`
	ID      any            `json:"id,omitempty"`
	Method  string         `json:"method,omitempty"`
	Params  any            `json:"params,omitempty"`
	Result  map[string]any `json:"result,omitempty"`
	Error   any            `json:"error,omitempty"`
}

// talk runs a client as an editor does, with one prompt after the other in one process.
func (s *session) talk(ctx context.Context, args []string, prompts ...string) error {
	if err := s.trust(s); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, s.path(), args...)
	cmd.Dir, cmd.Env, cmd.Stderr, cmd.WaitDelay = s.repo(), s.environ(s.env(s)), &s.said, time.Second
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	c := editor{in: json.NewEncoder(in), out: json.NewDecoder(io.TeeReader(out, &s.said))}
	err = c.prompts(s.repo(), prompts)
	err = errors.Join(err, in.Close(), cmd.Process.Signal(os.Interrupt), cmd.Wait())
	if exit, ok := errors.AsType[*exec.ExitError](err); ok && !exit.Success() && ctx.Err() == nil {
		return nil // it was told to end
	}
	return err
}

// editor is the side of the protocol that asks.
type editor struct {
	in   *json.Encoder
	out  *json.Decoder
	sent int
}

func (c *editor) prompts(dir string, texts []string) error {
	_, err := c.ask("initialize", map[string]any{"protocolVersion": 1, "clientCapabilities": map[string]any{}})
	if err != nil {
		return err
	}
	made, err := c.ask("session/new", map[string]any{"cwd": dir, "mcpServers": []any{}})
	for _, text := range texts {
		if err != nil {
			return err
		}
		said := []any{map[string]any{"type": "text", "text": text}}
		_, err = c.ask("session/prompt", map[string]any{"sessionId": made["sessionId"], "prompt": said})
	}
	return err
}

// ask sends a request, and returns the answer to it. Nothing that is asked meanwhile is granted.
func (c *editor) ask(method string, params any) (map[string]any, error) {
	c.sent++
	if err := c.in.Encode(message{Version: "2.0", ID: c.sent, Method: method, Params: params}); err != nil {
		return nil, err
	}
	for {
		var m message
		if err := c.out.Decode(&m); err != nil {
			return nil, fmt.Errorf("waiting for the answer to %s: %w", method, err)
		}
		switch {
		case m.Method != "" && m.ID != nil:
			refusal := map[string]any{"code": -32601, "message": "there is no such method"}
			if err := c.in.Encode(message{Version: "2.0", ID: m.ID, Error: refusal}); err != nil {
				return nil, err
			}
		case m.Method == "" && m.Error != nil:
			return nil, fmt.Errorf("%s: %v", method, m.Error)
		case m.Method == "" && fmt.Sprint(m.ID) == fmt.Sprint(c.sent):
			return m.Result, nil
		}
	}
}
