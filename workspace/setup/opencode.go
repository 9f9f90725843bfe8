package setup

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/templates"
	"github.com/git-cortex/cortex/workspace"
)

// OpenCode waits at its start until npm has installed a package in each folder .opencode,
// which takes more than a minute without a network. So its plugin is in a folder of ours, and
// the settings name it.
const (
	openCodePlugin = ".cortex/opencode.js"
	openCodeMark   = `"--agent", "opencode"` // is in every version of it
	openCodeSchema = "https://opencode.ai/config.json"
)

// openCodeFiles are the plugin of OpenCode and the settings that name it. OpenCode reads
// both files of settings; [fitting] leaves the one that is there.
func openCodeFiles() []managed {
	return []managed{
		ownFile(openCodePlugin, "plugin of OpenCode", templates.OpenCodePlugin(), openCodeMark),
		pluginFile(openCodeSettings, "./"+openCodePlugin),
		pluginFile(openCodeCommented, "./"+openCodePlugin),
	}
}

// fitting leaves out of files, of the two settings of OpenCode, the one that is not there:
// opencode.jsonc unless it stands alone.
func fitting(t workspace.Folder, files []managed) []managed {
	_, plain, _ := t.Read(openCodeSettings)
	_, commented, _ := t.Read(openCodeCommented)
	other := openCodeCommented
	if commented && !plain {
		other = openCodeSettings
	}
	return lists.Without(files, func(m managed) bool { return m.path == other })
}

// pluginFile is a settings file of OpenCode that names a plugin.
func pluginFile(path, plugin string) managed {
	return managed{
		path: path, what: "plugin of OpenCode", shared: true,
		add:  func(old []byte, _ bool) ([]byte, error) { return addPlugin(old, plugin) },
		take: func(now []byte) ([]byte, error) { return removePlugin(now, plugin) },
	}
}

// addPlugin returns data, settings of OpenCode, with a plugin among those they name.
// Everything else in them stays as it is, byte for byte.
func addPlugin(data []byte, plugin string) ([]byte, error) {
	if len(bytes.TrimSpace(data)) == 0 { // with the line that OpenCode would add to it
		data = []byte("{\n  \"$schema\": " + quoteJSON(openCodeSchema) + "\n}\n")
	}
	item := quoteJSON(plugin)
	return addEntry(data, "plugin", "[\n  "+item+"\n]", item,
		func(list jsonNode) bool { return slices.ContainsFunc(list.elements, isPlugin(plugin)) })
}

// isPlugin returns whether an element of the list names a plugin: as a text, or as the first of
// a list that gives it options.
func isPlugin(plugin string) func(jsonNode) bool {
	return func(n jsonNode) bool {
		return n.text == plugin || len(n.elements) > 0 && n.elements[0].text == plugin
	}
}

// removePlugin takes the name of a plugin out again, with the list that becomes empty by it;
// nil is a file with nothing else in it.
func removePlugin(data []byte, plugin string) ([]byte, error) {
	rest, err := removeEntry(data, "plugin", func(list jsonNode) int {
		return slices.IndexFunc(list.elements, isPlugin(plugin))
	})
	if err != nil {
		return nil, fmt.Errorf("%w; correct the file, or remove %s by hand", err, plugin)
	}
	return rest, nil
}

// onlySchema reports whether settings of OpenCode hold nothing but the name of their schema,
// which OpenCode writes into each.
func onlySchema(data []byte) bool {
	rest := strings.Join(strings.Fields(strings.TrimPrefix(string(data), "\ufeff")), "")
	return slices.Contains([]string{"{}", `{"$schema":"` + openCodeSchema + `"}`}, rest)
}
