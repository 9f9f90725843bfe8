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
	return s.edit(ctx, args, func(e *editor) error {
		return e.converse(s.repo(), func(say func(text string) error) error {
			for _, text := range prompts {
				if err := say(text); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// edit runs a client for an editor, which says and asks what do does.
func (s *session) edit(ctx context.Context, args []string, do func(e *editor) error) error {
	if s.trust != nil {
		if err := s.trust(s); err != nil {
			return err
		}
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
	err = do(&editor{in: json.NewEncoder(in), out: json.NewDecoder(io.TeeReader(out, &s.said))})
	err = errors.Join(err, in.Close(), cmd.Process.Signal(os.Interrupt))
	late := time.AfterFunc(leave, func() { _ = cmd.Cancel() }) // Gemini CLI stays
	defer late.Stop()
	ended := cmd.Wait()
	if exit, ok := errors.AsType[*exec.ExitError](ended); ok && !exit.Success() && ctx.Err() == nil {
		return err // it was told to end
	}
	return errors.Join(err, ended)
}

// leave is how long a client may take to end.
const leave = 10 * time.Second

// editor is the side of the protocol that asks.
type editor struct {
	in     *json.Encoder
	out    *json.Decoder
	sent   int
	answer func(m message) map[string]any // to what the agent asks; nil refuses it
}

// converse begins a session in a folder, and has do say something in it.
func (c *editor) converse(dir string, do func(say func(text string) error) error) error {
	_, err := c.ask("initialize", map[string]any{"protocolVersion": 1, "clientCapabilities": map[string]any{}})
	if err != nil {
		return err
	}
	made, err := c.ask("session/new", map[string]any{"cwd": dir, "mcpServers": []any{}})
	if err != nil {
		return err
	}
	return do(func(text string) error {
		said := []any{map[string]any{"type": "text", "text": text}}
		_, err := c.ask("session/prompt", map[string]any{"sessionId": made["sessionId"], "prompt": said})
		return err
	})
}

// ask sends a request, and returns the answer to it.
func (c *editor) ask(method string, params any) (map[string]any, error) {
	c.sent++
	sent := c.sent
	if err := c.in.Encode(message{Version: "2.0", ID: sent, Method: method, Params: params}); err != nil {
		return nil, err
	}
	m, err := c.await(method, func(m message) bool { return m.Method == "" && fmt.Sprint(m.ID) == fmt.Sprint(sent) })
	return m.Result, err
}

// await reads what the agent says until one thing is as wanted, or an error, and answers what
// it asks meanwhile.
func (c *editor) await(what string, wanted func(m message) bool) (message, error) {
	for {
		var m message
		if err := c.out.Decode(&m); err != nil {
			return m, fmt.Errorf("waiting for %s: %w", what, err)
		}
		switch {
		case m.Method != "" && m.ID != nil:
			if err := c.in.Encode(c.reply(m)); err != nil {
				return m, err
			}
		case m.Method == "" && m.Error != nil:
			return m, fmt.Errorf("%s: %v", what, m.Error)
		case wanted(m):
			return m, nil
		}
	}
}

// reply is the answer to what an agent asks.
func (c *editor) reply(m message) message {
	if c.answer != nil {
		if result := c.answer(m); result != nil {
			return message{Version: "2.0", ID: m.ID, Result: result}
		}
	}
	refusal := map[string]any{"code": -32601, "message": "there is no such method"}
	return message{Version: "2.0", ID: m.ID, Error: refusal}
}
