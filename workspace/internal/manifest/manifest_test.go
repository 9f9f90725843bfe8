package manifest

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDependencies(t *testing.T) {
	for name, c := range map[string]struct {
		file string
		text string
		want []string
	}{
		"go.mod": {"go.mod", "module x\n\ngo 1.26\n\nrequire (\n\texample.org/a/bluge v1.2.3\n\texample.org/yaml/v3 v3.0.1 // indirect\n)\n\nrequire example.org/one v0.1.0\n", []string{"example.org/a/bluge", "example.org/one", "example.org/yaml/v3"}},
		"go.mod with comments and replacements": {
			"go.mod",
			"module x\n// require example.org/no v1.0.0\nrequire example.org/yes v1.0.0 // require more\nreplace example.org/yes => ../yes\nunknown directive\n",
			[]string{"example.org/yes"},
		},
		"go.mod, broken":       {"go.mod", "require (\n\texample.org/a v1", nil},
		"package.json":         {"package.json", `{"name":"x","dependencies":{"@scope/left":"1","vite":"^5"},"devDependencies":{"vitest":"*"},"scripts":{"a":"b"}}`, []string{"@scope/left", "vite", "vitest"}},
		"package.json, broken": {"package.json", `{"dependencies":["x"]`, nil},
		"pyproject.toml":       {"pyproject.toml", "[project]\nname = \"x\"\ndependencies = [\n  \"httpx[http2]>=0.27\",\n  'pydantic',\n]\n[tool.poetry.dependencies]\npython = \"^3.12\"\nsqlmodel = \"*\"\n[tool.ruff]\nline-length = 100\n", []string{"httpx", "pydantic", "python", "sqlmodel"}},
		"pyproject.toml with groups": {
			"pyproject.toml",
			"[project.optional-dependencies]\ntest = [\"pytest ~= 8\", \"coverage\"]\n[tool.poetry.group.dev.dependencies]\nblack = { version = \"*\" }\n",
			[]string{"black", "coverage", "pytest"},
		},
		"pyproject.toml in one line": {"pyproject.toml", `project = { dependencies = ["a", "b # not a comment", "c]"] }`, []string{"a", "b", "c]"}},
		"Cargo.toml":                 {"Cargo.toml", "[package]\nname = \"x\"\n[dependencies]\nserde = { version = \"1\", features = [\"derive\"] }\n[dev-dependencies]\ninsta = \"1\"\n[dependencies.tokio]\nversion = \"1\"\n", []string{"insta", "serde", "tokio"}},
		"Cargo.toml for a target":    {"Cargo.toml", "[target.'cfg(unix)'.dependencies]\nlibc = \"0.2\"\n[workspace.dependencies]\nanyhow.version = \"1\"\n", []string{"anyhow", "libc"}},
		"Cargo.toml, broken":         {"Cargo.toml", "[dependencies]\nserde = \n", nil},
		"requirements.txt":           {"requirements.txt", "# pinned\nflask==3.0\n-r other.txt\n\nuvicorn[standard]>=0.30 ; python_version > '3'\n", []string{"flask", "uvicorn"}},
		"pom.xml": {
			"pom.xml",
			`<?xml version="1.0" encoding="ISO-8859-1"?><project><artifactId>me</artifactId><!-- <dependency><artifactId>no</artifactId></dependency> --><name>` + "\xe9" + `</name>
<dependencies><dependency><groupId>g</groupId><artifactId> jackson-core </artifactId><exclusions><exclusion><artifactId>out</artifactId></exclusion></exclusions></dependency></dependencies></project>`,
			[]string{"jackson-core"},
		},
		"pom.xml, cut off": {"pom.xml", "<project><dependency><artifactId>one</artifactId></dependency><dependency><artifactId>two", []string{"one"}},
		"pom.xml, exclusions first": {
			"pom.xml",
			"<dependency><exclusions><exclusion><artifactId>out</artifactId></exclusion></exclusions><artifactId>in</artifactId></dependency>" +
				"<dependency></dependency><artifactId>plugin</artifactId>",
			[]string{"in"},
		},
		"nothing":           {"pyproject.toml", "", nil},
		"composer.json":     {"composer.json", `{"require":{"php":">=8","laravel/framework":"^11"},"require-dev":{"phpunit/phpunit":"*"}}`, []string{"laravel/framework", "php", "phpunit/phpunit"}},
		"Gemfile":           {"Gemfile", "source 'https://rubygems.org'\ngem 'rails', '~> 7'\n# gem 'no'\ngroup :test do\n  gem(\"rspec\")\nend\n", []string{"rails", "rspec"}},
		"gauge.gemspec":     {"gauge.gemspec", "Gem::Specification.new do |s|\n  s.add_dependency \"sidekiq\", \"~> 7\"\n  s.add_development_dependency('minitest')\nend\n", []string{"minitest", "sidekiq"}},
		"build.gradle":      {"build.gradle", "dependencies {\n  implementation 'org.springframework:spring-core:6'\n  // api 'no:no:1'\n  testImplementation(libs.junit.jupiter)\n  implementation project(':core')\n}\n", []string{"junit.jupiter", "org.springframework:spring-core"}},
		"build.gradle.kts":  {"build.gradle.kts", "dependencies {\n  implementation(platform(\"io.ktor:ktor-bom:3\"))\n  ksp(\"com.squareup.moshi:moshi:1\")\n  runtimeOnly(\"org.postgresql:postgresql:42\")\n}\n", []string{"com.squareup.moshi:moshi", "io.ktor:ktor-bom", "org.postgresql:postgresql"}},
		"build.sbt":         {"build.sbt", `libraryDependencies += "org.typelevel" %% "cats-core" % "2.10" % Test`, []string{"cats-core"}},
		"mix.exs":           {"mix.exs", "defp deps do\n  [{:phoenix, \"~> 1.7\"}, {:ecto_sql, \">= 3.0.0\", only: :test}]\nend\n", []string{"ecto_sql", "phoenix"}},
		"pubspec.yaml":      {"pubspec.yaml", "name: gauge\ndependencies:\n  dio: ^5.0.0\n  riverpod:\n    git: x\n", []string{"dio", "riverpod"}},
		"Package.swift":     {"Package.swift", "dependencies: [\n .package(url: \"https://example.org/vapor.git\", from: \"4.0.0\"),\n .package(name: \"b\", url: \"https://example.org/b\"),\n]", []string{"https://example.org/b", "https://example.org/vapor.git"}},
		"a.csproj":          {"a.csproj", `<ItemGroup><PackageReference Include="Serilog" Version="3" /><!-- <PackageReference Include="No" /> --><ProjectReference Include="..\b.csproj" /></ItemGroup>`, []string{"Serilog"}},
		"of all projects":   {"Directory.Packages.props", `<PackageVersion Include="xunit" Version="2" />`, []string{"xunit"}},
		"another file":      {"Makefile", "gem 'x'", nil},
		"more than MaxSize": {"requirements.txt", strings.Repeat("flask\n", MaxSize), nil},
	} {
		if diff := cmp.Diff(c.want, Dependencies(c.file, []byte(c.text))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// TestHostile: files that are made to exhaust a reader yield nothing, soon.
func TestHostile(t *testing.T) {
	for name, text := range map[string]string{
		"lists":             "a = " + strings.Repeat("[", MaxSize-4),
		"tables":            "a = " + strings.Repeat("{a=", MaxSize/3-4),
		"tables over lines": "a = " + strings.Repeat("[\n{a=", MaxSize/5-4),
		"closed in strings": "a = " + strings.Repeat("[\"]\",", MaxSize/5-4),
		"closed in many":    "a = " + strings.Repeat("[\"\"\"]\"\"\",", MaxSize/9-4),
		"closed in comment": "a = " + strings.Repeat("[ # ]\n", MaxSize/6-4),
		"closed by escape":  "a = " + strings.Repeat(`["\"]",`, MaxSize/7-4),
		"closed literally":  "a = " + strings.Repeat(`['\',']',`, MaxSize/9-4),
		"five quotes":       `a = ["""x""""", ` + strings.Repeat("[", MaxSize/2),
		"four quotes":       "a = ['''x'''', " + strings.Repeat("{a=", MaxSize/4),
		"a header":          "[" + strings.Repeat("a.", MaxSize/2-4) + "a]",
		"a key":             strings.Repeat("a.", MaxSize/2-4) + "a = 1",
		"quoted keys":       strings.Repeat(`"a".`, MaxSize/4-4) + "a = 1",
		"headers":           strings.Repeat("[[a.b.c]]\n", MaxSize/10),
		"backslashes":       "a = \"" + strings.Repeat("\\", MaxSize-9),
	} {
		if got := Dependencies("Cargo.toml", []byte(text)); got != nil {
			t.Errorf("%s: %q", name, got)
		}
	}
	for _, text := range []string{strings.Repeat("(", MaxSize), strings.Repeat("require (\n", MaxSize/10), "require " + strings.Repeat("\"", MaxSize-9)} {
		if got := Dependencies("go.mod", []byte(text)); got != nil {
			t.Errorf("go.mod: %q", got)
		}
	}
	for _, text := range []string{strings.Repeat("<a>", MaxSize/3), strings.Repeat("<dependency>", MaxSize/12)} {
		if got := Dependencies("pom.xml", []byte(text)); got != nil {
			t.Errorf("pom.xml: %q", got)
		}
	}
}

func TestTooDeep(t *testing.T) {
	deep, flat := strings.Repeat("[", maxDepth+1), strings.Repeat("[", maxDepth)
	for text, want := range map[string]bool{
		"a = " + deep:                              true,
		"a = " + flat + strings.Repeat("]", 99):    false,
		"# " + deep + "\na = 1":                    false,
		`a = "` + deep + `"`:                       false,
		`a = '\'` + "\nb = " + deep:                true,
		`a = "\"` + deep + `"`:                     false,
		"a = \"\"\"\n" + deep + "\n\"\"\"":         false,
		"a = '''\n'' " + deep + "\n'''":            false,
		strings.Repeat("[a.b.c]\nx = 1.5\n", 999):  false,
		strings.Repeat("a.", maxDepth+1) + "b = 1": true,
	} {
		if got := tooDeep([]byte(text)); got != want {
			t.Errorf("%.40q: %v", text, got)
		}
	}
}

func FuzzDependencies(f *testing.F) {
	for _, file := range Files() {
		f.Add(file, []byte("[dependencies]\na = 1\n"))
	}
	f.Add("pom.xml", []byte("<dependency><artifactId>a</artifactId></dependency>"))
	f.Add("go.mod", []byte("require a v1.0.0\n"))
	f.Add("package.json", []byte(`{"dependencies":{"a":"1"}}`))
	f.Fuzz(func(t *testing.T, file string, data []byte) {
		names := Dependencies(file, data)
		for i, name := range names {
			if i > 0 && name <= names[i-1] || len(name) > len(data) {
				t.Errorf("%q", names)
			}
		}
	})
}

// TestName: a project is named by its manifest, in each dialect.
func TestName(t *testing.T) {
	for _, c := range []struct{ file, text, want string }{
		{"go.mod", "module example.com/yard/harbour/v2\n", "example.com/yard/harbour/v2"},
		{"package.json", `{"name":"@yard/harbour","version":"1"}`, "@yard/harbour"},
		{"package.json", `{"name":`, ""},
		{"pyproject.toml", "[project]\nname = 'harbour'\n", "harbour"},
		{"pyproject.toml", "[tool.poetry]\nname = 'harbour'\n", "harbour"},
		{"Cargo.toml", "[package]\nname = 'harbour'\n[dependencies]\nname = '1'\n", "harbour"},
		{"Cargo.toml", "[workspace]\n", ""},
		{"requirements.txt", "harbour\n", ""},
		{"go.mod", strings.Repeat("x", MaxSize+1), ""},
	} {
		if got := Name(c.file, []byte(c.text)); got != c.want {
			t.Errorf("%s %.40q: %q", c.file, c.text, got)
		}
	}
}
