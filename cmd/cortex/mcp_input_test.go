package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// wire is `cortex mcp` without a client: lines in, lines out.
type wire struct {
	t   *testing.T
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader

	stdout io.Closer
}

func newWire(t *testing.T, at *checkout) *wire {
	t.Helper()
	x := &wire{t: t, cmd: exec.Command("cortex", "mcp")}
	x.cmd.Dir, x.cmd.Env = at.dir, at.env
	var err error
	if x.in, err = x.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	out, err := x.cmd.StdoutPipe()
	if err == nil {
		x.out, x.stdout = bufio.NewReader(out), out
		err = x.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = x.cmd.Process.Kill()
		_ = x.cmd.Wait()
	})
	return x
}

const (
	helloOld = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{},"clientInfo":{"name":"wire","version":"1"}}}`
	metaNew  = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"wire","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
)

func (x *wire) send(lines ...string) {
	x.t.Helper()
	for _, l := range lines {
		if _, err := io.WriteString(x.in, l+"\n"); err != nil {
			x.t.Fatal(err)
		}
	}
}

// message has the members of a line of the server that tests ask for.
type message struct {
	ID     json.RawMessage
	Result map[string]any
	Error  struct {
		Code    int
		Message string
	}
}

// next reads a line, each of which is one JSON object.
func (x *wire) next() (m message) {
	x.t.Helper()
	line, err := x.out.ReadString('\n')
	if err == nil {
		err = json.Unmarshal([]byte(line), &m)
	}
	if err != nil {
		x.t.Fatalf("%v in %.300q", err, line)
	}
	return m
}

// answers reads n lines, by their ids.
func (x *wire) answers(n int) map[string]message {
	x.t.Helper()
	out := map[string]message{}
	for range n {
		m := x.next()
		out[string(m.ID)] = m
	}
	return out
}

func (x *wire) hello() {
	x.t.Helper()
	x.send(fmt.Sprintf(helloOld, "2025-11-25"), `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	x.next()
}

// ends checks that the server ends by itself, with nothing more to say, once its input
// has ended.
func (x *wire) ends() {
	x.t.Helper()
	if err := x.in.Close(); err != nil {
		x.t.Fatal(err)
	}
	rest, err := io.ReadAll(x.out)
	if err == nil {
		err = x.cmd.Wait()
	}
	if err != nil || len(rest) > 0 {
		x.t.Errorf("it ended with %v and said %q", err, rest)
	}
}

func callLine(id int, tool, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, id, tool, args)
}

// TestMCPEras: a client of any revision of the protocol is served, those that begin
// with initialize and those that do not begin at all.
func TestMCPEras(t *testing.T) {
	skipUnderRace(t)
	t.Parallel()
	c := remembering(t)
	for _, version := range []string{"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"} {
		x := newWire(t, c)
		x.send(fmt.Sprintf(helloOld, version), `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
		if got := x.next().Result["protocolVersion"]; got != version {
			t.Errorf("%s became %v", version, got)
		}
		x.send(callLine(1, "cortex_search", `{"query":"index"}`), `{"jsonrpc":"2.0","id":2,"method":"ping"}`)
		got := x.answers(2)
		if got["1"].Result["structuredContent"] == nil || got["2"].Result == nil {
			t.Errorf("%s: %+v", version, got)
		}
		x.ends()
	}
	x := newWire(t, c)
	x.send(`{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{` + metaNew + `}}`)
	if got := x.next().Result; fmt.Sprint(got["supportedVersions"]) == "" || got["instructions"] == nil {
		t.Errorf("discovered %v", got)
	}
	x.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"cortex_search","arguments":{"query":"index"},` + metaNew + `}}`)
	if got := x.next().Result; got["resultType"] != "complete" || got["structuredContent"] == nil {
		t.Errorf("called %v", got)
	}
	x.ends()
	x = newWire(t, c) // the first message is a call
	x.send(`{"jsonrpc":"2.0","id":"a","method":"tools/call","params":{"name":"cortex_get_recent","arguments":{},` + metaNew + `}}`)
	if got := x.next(); string(got.ID) != `"a"` || got.Result["structuredContent"] == nil {
		t.Errorf("called %+v", got)
	}
	x.ends()
}

// TestMCPBadInput: whatever a client sends, it is told what was wrong with it, and
// what it sends next is answered.
func TestMCPBadInput(t *testing.T) {
	t.Parallel()
	x := newWire(t, remembering(t))
	x.hello()
	huge := strings.Repeat("y", 2<<20)
	for _, tt := range []struct {
		name, line, id string
		code           int // of the protocol; 0 is an answer of the tool that says what is wrong
	}{
		{"no JSON", `hello`, "null", -32700},
		{"half a message", `{"jsonrpc":"2.0","id":7,"method":"tools/call"`, "null", -32700},
		{"not UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"\xff\"}", "7", -32601},
		{"a NUL", "\x00\x00", "null", -32700},
		{"a batch", `[` + callLine(7, "cortex_list", `{}`) + `]`, "7", -32600},
		{"a number", `42`, "null", -32600},
		{"another version", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, "7", -32600},
		{"no id and no method", `{"jsonrpc":"2.0"}`, "null", -32600},
		{"a line of 2 MB", callLine(7, "cortex_search", `{"query":"`+huge+`"}`), "7", -32600},
		{"2 MB with the id last", `{"method":"tools/call","params":{"name":"cortex_search","arguments":{"query":"` + huge + `"}},"jsonrpc":"2.0","id":"seven"}`, `"seven"`, -32600},
		{"2 MB without an end", strings.Repeat("[", 2<<20), "null", -32600},
		{"deep", strings.Repeat("[", 20_000), "null", -32700},
		{"an unknown method", `{"jsonrpc":"2.0","id":7,"method":"tools/dance"}`, "7", -32601},
		{"an unknown tool", callLine(7, "cortex_dance", `{}`), "7", -32602},
		{"no tool", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{}}`, "7", -32602},
		{"an unknown argument", callLine(7, "cortex_search", `{"query":"x","colour":"red"}`), "7", 0},
		{"no argument", callLine(7, "cortex_search", `{}`), "7", 0},
		{"a number for a string", callLine(7, "cortex_search", `{"query":7}`), "7", 0},
		{"a string for a number", callLine(7, "cortex_search", `{"query":"x","limit":"many"}`), "7", 0},
		{"a fraction", callLine(7, "cortex_list", `{"limit":1.5}`), "7", 0},
		{"a huge number", callLine(7, "cortex_list", `{"limit":1e300}`), "7", 0},
		{"a list for an object", callLine(7, "cortex_list", `[]`), "7", 0},
		{"null", callLine(7, "cortex_search", `{"query":null}`), "7", 0},
		{"900 KB", callLine(7, "cortex_search", `{"query":"`+huge[:900<<10]+`"}`), "7", 0},
		{"an id of 900 KB", callLine(7, "cortex_show", `{"id":"`+huge[:900<<10]+`"}`), "7", 0},
		{"a branch of 900 KB", callLine(7, "cortex_list", `{"branch":"`+huge[:900<<10]+`"}`), "7", 0},
		{"a branch that is an option", callLine(7, "cortex_list", `{"branch":"--upload-pack=touch x"}`), "7", 0},
		{"a branch with a NUL", callLine(7, "cortex_list", `{"branch":"a\u0000b"}`), "7", 0},
		{"a root with a NUL", callLine(7, "cortex_list", `{"root":"/a\u0000b"}`), "7", 0},
		{"an unknown resource", `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"cortex://nothing"}}`, "7", -32602},
		{"a resource outside", `{"jsonrpc":"2.0","id":7,"method":"resources/read","params":{"uri":"cortex://memory/../../etc/passwd"}}`, "7", -32602},
		{"an unknown prompt", `{"jsonrpc":"2.0","id":7,"method":"prompts/get","params":{"name":"dance"}}`, "7", -32602},
	} {
		x.send(tt.line)
		got := x.next()
		switch {
		case string(got.ID) != tt.id:
			t.Errorf("%s: answered %s, want %s: %+v", tt.name, got.ID, tt.id, got)
		case tt.code != 0 && got.Error.Code != tt.code:
			t.Errorf("%s: error %d, want %d: %s", tt.name, got.Error.Code, tt.code, got.Error.Message)
		case tt.code == 0 && got.Result["isError"] != true:
			t.Errorf("%s: no error: %.500v", tt.name, got)
		}
	}
	x.send("", "  ", `{"jsonrpc":"2.0","method":"notifications/unknown"}`, `{"jsonrpc":"2.0","id":99,"result":{}}`, callLine(8, "cortex_list", `{}`))
	if got := x.next(); string(got.ID) != "8" || got.Result["structuredContent"] == nil {
		t.Errorf("after all of it: %+v", got)
	}
	x.ends()
}

// TestMCPFlood: all of a thousand calls at once are answered, with the last line cut
// off by the end of the input.
func TestMCPFlood(t *testing.T) {
	fullOnly(t, "a flood")
	t.Parallel()
	const calls = 1000
	x := newWire(t, remembering(t))
	x.hello()
	sent := make(chan error, 1)
	go func() {
		w := bufio.NewWriter(x.in)
		for i := range calls {
			tool, args := "cortex_search", `{"query":"index"}`
			if i%2 == 1 {
				tool, args = "cortex_show", `{"id":"zzzz"}`
			}
			_, _ = w.WriteString(callLine(i+1, tool, args) + "\n")
		}
		_, _ = w.WriteString(callLine(calls+1, "cortex_list", `{}`)) // without an end of line
		sent <- errors.Join(w.Flush(), x.in.Close())
	}()
	if got := x.answers(calls + 1); len(got) != calls+1 {
		t.Errorf("%d answers to %d calls", len(got), calls+1)
	}
	if err := <-sent; err != nil {
		t.Error(err)
	}
	if err := x.cmd.Wait(); err != nil {
		t.Error(err)
	}
}

// TestMCPVanishes: a server whose client is gone ends, although calls are under way.
func TestMCPVanishes(t *testing.T) {
	t.Parallel()
	x := newWire(t, remembering(t))
	x.hello()
	for i := range 20 {
		x.send(callLine(i+1, "cortex_search", `{"query":"index"}`))
	}
	_, _ = x.stdout.Close(), x.in.Close()
	ended := make(chan error, 1)
	go func() { ended <- x.cmd.Wait() }()
	select {
	case <-ended:
	case <-time.After(patience):
		t.Errorf("it did not end within %s", patience)
	}
}
