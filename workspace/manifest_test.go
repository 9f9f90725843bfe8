package workspace

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestManifests(t *testing.T) {
	for _, c := range []struct {
		name  string
		names func(string) []string
		text  string
		want  []string
	}{
		{"go.mod", goRequires, "module x\n\ngo 1.26\n\nrequire (\n\texample.org/a/bluge v1.2.3\n\texample.org/yaml/v3 v3.0.1 // indirect\n)\n\nrequire example.org/one v0.1.0\n", []string{"example.org/a/bluge", "example.org/one", "example.org/yaml/v3"}},
		{"package.json", npmDependencies, `{"name":"x","dependencies":{"@scope/left":"1","vite":"^5"},"devDependencies":{"vitest":"*"},"scripts":{"a":"b"}}`, []string{"@scope/left", "vite", "vitest"}},
		{"package.json, broken", npmDependencies, `{"dependencies":["x"]`, nil},
		{"pyproject.toml", tomlDependencies, "[project]\nname = \"x\"\ndependencies = [\n  \"httpx[http2]>=0.27\",\n  'pydantic',\n]\n[tool.poetry.dependencies]\npython = \"^3.12\"\nsqlmodel = \"*\"\n[tool.ruff]\nline-length = 100\n", []string{"httpx", "pydantic", "python", "sqlmodel"}},
		{"Cargo.toml", tomlDependencies, "[package]\nname = \"x\"\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\n[dev-dependencies]\ninsta = \"1\"\n[dependencies.tokio]\nversion = \"1\"\n", []string{"insta", "serde", "tokio"}},
		{"requirements.txt", pipRequirements, "# pinned\nflask==3.0\n-r other.txt\n\nuvicorn[standard]>=0.30 ; python_version > '3'\n", []string{"flask", "uvicorn"}},
		{"pom.xml", mavenArtifacts, "<project><artifactId>me</artifactId><dependency><groupId>g</groupId><artifactId>jackson-core</artifactId></dependency><dependency>", []string{"jackson-core"}},
		{"nothing", tomlDependencies, "", nil},
	} {
		got := c.names(c.text)
		slices.Sort(got)
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}
