package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/lazy"
	"github.com/git-cortex/cortex/internal/markers"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/manifest"
)

// serverName is the key under which agents' settings name our MCP server.
const serverName = "cortex"

// Both are settings of OpenCode, which reads one beside the other.
const (
	openCodeSettings  = "opencode.json"
	openCodeCommented = "opencode.jsonc"
)

// serverFiles are the files that tell the chosen agents of the MCP server. Two agents
// may read the same one.
func serverFiles(chosen []string) []managed {
	const plain = `{"type": "stdio", "command": "cortex", "args": ["mcp"]}`
	const local = `{"type": "local", "command": ["cortex", "mcp"], "enabled": true}`
	var files []managed
	for _, s := range []struct {
		agent string
		file  managed
	}{
		{transcript.ClaudeCode, serverFile(".mcp.json", "mcpServers", plain)},
		{transcript.Copilot, serverFile(".mcp.json", "mcpServers", plain)},
		{transcript.Codex, tablesFile(".codex/config.toml")},
		{transcript.Gemini, serverFile(".gemini/settings.json", "mcpServers",
			`{"command": "cortex", "args": ["mcp"]}`)},
		{transcript.Cursor, serverFile(".cursor/mcp.json", "mcpServers", plain)},
		{transcript.OpenCode, serverFile(openCodeSettings, "mcp", local)},
		{transcript.OpenCode, serverFile(openCodeCommented, "mcp", local)},
	} {
		known := slices.ContainsFunc(files, func(m managed) bool { return m.path == s.file.path })
		if slices.Contains(chosen, s.agent) && !known {
			files = append(files, s.file)
		}
	}
	return files
}

// withServers adds files to those of a set-up; of a file that is among them both
// parts become one.
func withServers(files, servers []managed) []managed {
	for _, s := range servers {
		i := slices.IndexFunc(files, func(m managed) bool { return m.path == s.path })
		if i < 0 {
			files = append(files, s)
			continue
		}
		first := files[i]
		files[i].what += ", and its MCP server"
		files[i].add = func(old []byte, exists bool) ([]byte, error) {
			now, err := first.add(old, exists)
			if err != nil {
				return nil, err
			}
			return s.add(now, true)
		}
		files[i].take = func(now []byte) ([]byte, error) {
			rest, err := s.take(now)
			if err != nil || rest == nil {
				return rest, err
			}
			return first.take(rest)
		}
	}
	return files
}

// tablesFile is a settings file of an agent in TOML that names MCP servers. A server that
// is named as ours stays as it is: a second table of the name would make the file invalid.
func tablesFile(path string) managed {
	block := markers.Block{Name: "mcp", Body: "[mcp_servers.cortex]\ncommand = \"cortex\"\nargs = [\"mcp\"]\n"}
	m := blockFile(path, "MCP server for agents", block)
	insert := m.add
	m.add = func(old []byte, exists bool) ([]byte, error) {
		rest, err := markers.Remove(old, block)
		if err != nil {
			return nil, err
		}
		tables, err := manifest.Tables(rest)
		if err != nil {
			return nil, &unreadError{"TOML", err}
		}
		if servers, ok := tables["mcp_servers"].(map[string]any); ok && servers["cortex"] != nil {
			return old, nil
		}
		if closed().Match(rest) {
			return nil, errors.New("its mcp_servers stand in braces, where no table can be added: write each as" +
				" [mcp_servers.NAME]")
		}
		return insert(old, exists)
	}
	return m
}

// closed finds servers that are written as one value.
var closed = lazy.Pattern(`(?m)^[ \t]*["']?mcp_servers["']?[ \t]*=`)

// serverFile is a settings file of an agent in JSON that names MCP servers in section.
func serverFile(path, section, item string) managed {
	return managed{
		path: path, what: "MCP server for agents",
		add:  func(old []byte, _ bool) ([]byte, error) { return addServer(old, section, item) },
		take: func(now []byte) ([]byte, error) { return removeServer(now, section, item) },
	}
}

// addServer returns data, the settings of an agent, with our server in section. One
// that is named as ours stays as it is, and so does everything else, byte for byte.
func addServer(data []byte, section, item string) ([]byte, error) {
	if len(bytes.TrimSpace(data)) == 0 {
		data = []byte("{}\n")
	}
	item = quoteJSON(serverName) + ": " + item
	return addEntry(data, section, "{\n  "+item+"\n}", item,
		func(servers jsonNode) bool { return servers.index(serverName) >= 0 })
}

// removeServer takes our server out again, if nobody changed it, with the section that
// becomes empty by it; nil is a file with nothing else in it.
func removeServer(data []byte, section, item string) ([]byte, error) {
	rest, err := removeEntry(data, section, func(servers jsonNode) int {
		i := servers.index(serverName)
		if i >= 0 && !sameJSON(plainJSON(data)[servers.members[i].value.start:servers.members[i].value.end], item) {
			return -1
		}
		return i
	})
	if err != nil {
		return nil, fmt.Errorf("%w; correct the file, or remove %s.%s by hand", err, section, serverName)
	}
	return rest, nil
}

// sameJSON reports whether two texts are the same JSON but for white space.
func sameJSON(a []byte, b string) bool { return compactJSON(a) == compactJSON([]byte(b)) }

// Served reports whether a file of the working tree tells an agent of our MCP server.
func Served(w *workspace.Workspace) bool {
	t, err := w.Tree()
	if err != nil {
		return false
	}
	return slices.ContainsFunc(serverFiles(Agents()), func(m managed) bool {
		data, _, _ := t.Read(m.path) // nothing of a file that cannot be read
		after, err := m.add(data, true)
		return err == nil && bytes.Equal(after, data)
	})
}

// compactJSON is a JSON text without white space, "" where it is none.
func compactJSON(data []byte) string {
	var out bytes.Buffer
	if json.Compact(&out, data) != nil {
		return ""
	}
	return out.String()
}
