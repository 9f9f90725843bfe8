package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestModules: a bill names the modules that a program is made of, each with its
// hash, those that replace others in their place, and the standard library.
func TestModules(t *testing.T) {
	got := billOf(&debug.BuildInfo{
		GoVersion: "go1.26.8",
		Main:      debug.Module{Path: "example.org/Tide", Version: "v1.2.0"},
		Deps: []*debug.Module{
			{Path: "golang.org/x/sys", Version: "v0.30.0", Sum: "h1:abc="},
			{Path: "example.org/old", Version: "v1.0.0", Replace: &debug.Module{Path: "example.org/New", Version: "v1.1.0+incompatible", Sum: "h1:def="}},
		},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "6bbe5955"}, {Key: "-compiler", Value: "gc"}},
	}, []byte("program"))
	var purls []string
	for _, c := range append(got.Components, got.Metadata.Component) {
		purls = append(purls, c.PURL)
	}
	want := []string{
		"pkg:golang/stdlib@1.26.8", "pkg:golang/golang.org/x/sys@v0.30.0",
		"pkg:golang/example.org/new@v1.1.0%2Bincompatible", "pkg:golang/example.org/tide@v1.2.0",
	}
	if diff := cmp.Diff(want, purls); diff != "" {
		t.Errorf("package URLs (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]property{{"go:sum", "h1:def="}}, got.Components[2].Properties); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]property{{"go:build:vcs.revision", "6bbe5955"}}, got.Metadata.Component.Properties); diff != "" {
		t.Error(diff)
	}
	if len(got.Dependencies) != 4 || len(got.Dependencies[0].DependsOn) != 3 {
		t.Errorf("dependencies are %+v", got.Dependencies)
	}
}

// TestBill: the bill of a program is the same each time, and a text has none.
func TestBill(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var bills []string
	for _, name := range []string{"a.json", "b.json"} {
		to := filepath.Join(t.TempDir(), name)
		if err := run([]string{self, to}); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(to)
		if err != nil {
			t.Fatal(err)
		}
		bills = append(bills, string(data))
	}
	if bills[0] != bills[1] {
		t.Errorf("two bills of one program differ:\n%s\n%s", bills[0], bills[1])
	}
	var got bill
	if err := json.Unmarshal([]byte(bills[0]), &got); err != nil {
		t.Fatal(err)
	}
	if got.Format != "CycloneDX" || got.Metadata.Component.Name != "github.com/git-cortex/cortex/tools" || len(got.Metadata.Component.Hashes) != 1 {
		t.Errorf("the bill is of %+v", got.Metadata)
	}
	if !regexp.MustCompile(`^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(got.Serial) {
		t.Errorf("the serial number is %s", got.Serial)
	}
	if err := run([]string{"sbom_test.go", filepath.Join(t.TempDir(), "x")}); err == nil {
		t.Error("a text has a bill")
	}
}
