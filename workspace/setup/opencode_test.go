package setup

import (
	"testing"
)

// TestPluginNamed: the settings of OpenCode name the plugin beside what they held.
func TestPluginNamed(t *testing.T) {
	const plugin = "./" + openCodePlugin
	for name, c := range map[string]struct{ before, after string }{
		"none": {"", "{\n  \"$schema\": \"https://opencode.ai/config.json\",\n  \"plugin\": [\n    \"" + plugin +
			"\"\n  ]\n}\n"},
		"settings": {
			"{\n  \"theme\": \"dark\", // mine\n}\n",
			"{\n  \"theme\": \"dark\",\n  \"plugin\": [\n    \"" + plugin + "\"\n  ], // mine\n}\n",
		},
		"plugins": {
			`{"plugin": ["theirs", ["more", {"a": 1}]]}`,
			`{"plugin": ["theirs", ["more", {"a": 1}], "` + plugin + `"]}`,
		},
		"named":   {`{"plugin": ["` + plugin + `"]}`, `{"plugin": ["` + plugin + `"]}`},
		"options": {`{"plugin": [["` + plugin + `", {}]]}`, `{"plugin": [["` + plugin + `", {}]]}`},
	} {
		got, err := addPlugin([]byte(c.before), plugin)
		if err != nil || string(got) != c.after {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
		rest, err := removePlugin(got, plugin)
		if err != nil || c.before != c.after && string(rest) != c.before {
			t.Errorf("%s, removed: %v\n%s", name, err, rest)
		}
	}
	for _, bad := range []string{`[]`, `{`, `{"plugin": "theirs"}`} {
		if got, err := addPlugin([]byte(bad), plugin); err == nil {
			t.Errorf("%s: %s", bad, got)
		}
	}
}
