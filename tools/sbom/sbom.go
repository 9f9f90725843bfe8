// Command sbom writes the bill of materials of a Go program, as CycloneDX 1.6 in
// JSON, from what the toolchain wrote into the program itself:
//
//	go run -C tools ./sbom PROGRAM FILE
//
// The same program gives the same bill: it has no time, and its serial number
// follows from the program's bytes. Modules are named as package URLs, with the
// hash that go.sum has of each, and the standard library is among them, so that a
// scanner can compare all of it with a database of vulnerabilities.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"strings"

	"github.com/git-cortex/cortex/internal/atomicfile"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("reading arguments: a program and the file to write are expected")
	}
	program, err := os.ReadFile(args[0])
	if err != nil {
		return fmt.Errorf("reading the program: %w", err)
	}
	info, err := buildinfo.Read(bytes.NewReader(program))
	if err != nil {
		return fmt.Errorf("reading the build information of %s: %w", args[0], err)
	}
	data, err := json.MarshalIndent(billOf(info, program), "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the bill: %w", err)
	}
	return atomicfile.WritePath(args[1], append(data, '\n'), atomicfile.Options{})
}

type bill struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn,omitempty"`
}

// billOf lists the modules of a program. What depends on what is not written into
// it: all of them stand below the program.
func billOf(info *debug.BuildInfo, program []byte) bill {
	sum := sha256.Sum256(program)
	self := module(&info.Main)
	self.Type = "application"
	self.Hashes = []hash{{"SHA-256", hex.EncodeToString(sum[:])}}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" || s.Key == "vcs.time" || s.Key == "vcs.modified" || s.Key == "GOOS" || s.Key == "GOARCH" || s.Key == "CGO_ENABLED" || s.Key == "-trimpath" {
			self.Properties = append(self.Properties, property{"go:build:" + strings.TrimPrefix(s.Key, "-"), s.Value})
		}
	}
	out := bill{
		Format: "CycloneDX", Spec: "1.6", Version: 1, Serial: serial(sum),
		Metadata: metadata{self},
		Components: []component{{
			Type: "library", Ref: "stdlib", Name: "stdlib", Version: strings.TrimPrefix(info.GoVersion, "go"),
			PURL: "pkg:golang/stdlib@" + strings.TrimPrefix(info.GoVersion, "go"),
		}},
	}
	for _, dep := range info.Deps {
		if dep.Replace != nil {
			dep = dep.Replace
		}
		out.Components = append(out.Components, module(dep))
	}
	refs := []string{}
	for _, c := range out.Components {
		refs = append(refs, c.Ref)
	}
	out.Dependencies = []dependency{{self.Ref, refs}}
	for _, ref := range refs {
		out.Dependencies = append(out.Dependencies, dependency{Ref: ref})
	}
	return out
}

func module(m *debug.Module) component {
	out := component{
		Type: "library", Ref: m.Path + "@" + m.Version, Name: m.Path, Version: m.Version,
		PURL: "pkg:golang/" + strings.ToLower(m.Path) + "@" + strings.ReplaceAll(m.Version, "+", "%2B"),
	}
	if m.Sum != "" {
		out.Properties = []property{{"go:sum", m.Sum}}
	}
	return out
}

// serial is a UUID of version 8 made of a hash, as RFC 9562 allows.
func serial(sum [sha256.Size]byte) string {
	id := sum[:16]
	id[6] = id[6]&0x0f | 0x80
	id[8] = id[8]&0x3f | 0x80
	return fmt.Sprintf("urn:uuid:%x-%x-%x-%x-%x", id[:4], id[4:6], id[6:8], id[8:10], id[10:])
}
