// Command npm lays out the packages of a release for npm, from the programs that
// goreleaser built:
//
//	go run -C tools ./npm DIST FOLDER
//
// DIST is goreleaser's folder, with artifacts.json and metadata.json. FOLDER gets one
// package for each system, with nothing but the program, and the package that people
// install: it names those as optional dependencies, of which npm takes the one that
// fits, a script that starts it, and the manual. Nothing is downloaded or run at installation, so
// that it works with --ignore-scripts and behind a mirror.
package main

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/git-cortex/cortex/internal/atomicfile"
)

//go:embed start.js
var start []byte

const (
	scope   = "@git-cortex"
	license = "MIT"
	about   = "Memory for coding agents, kept as code in your git repository"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "npm:", err)
		os.Exit(1)
	}
}

// artifact is one entry of goreleaser's artifacts.json.
type artifact struct {
	Path string `json:"path"`
	OS   string `json:"goos"`
	Arch string `json:"goarch"`
	Type string `json:"type"`
}

// manifest is package.json.
type manifest struct {
	Name        string            `json:"name"`
	Version     string            `json:"version"`
	Description string            `json:"description"`
	License     string            `json:"license"`
	Repository  string            `json:"repository"`
	Bin         map[string]string `json:"bin,omitempty"`
	Man         []string          `json:"man,omitempty"`
	OS          []string          `json:"os,omitempty"`
	CPU         []string          `json:"cpu,omitempty"`
	Files       []string          `json:"files"`
	Optional    map[string]string `json:"optionalDependencies,omitempty"`
}

func run(args []string) error {
	if len(args) != 2 {
		return errors.New("reading arguments: goreleaser's folder and the folder to write are expected")
	}
	dist, to := args[0], args[1]
	var built []artifact
	var release struct {
		Version string `json:"version"`
	}
	if err := errors.Join(decode(filepath.Join(dist, "artifacts.json"), &built), decode(filepath.Join(dist, "metadata.json"), &release)); err != nil {
		return err
	}
	main := describe("cortex", release.Version)
	main.Bin = map[string]string{"cortex": "start.js", "git-cortex": "start.js"}
	main.Files, main.Optional = []string{"start.js"}, map[string]string{}
	manual, err := filepath.Glob(filepath.Join(filepath.Dir(dist), "share", "man", "man1", "*.1"))
	if err != nil {
		return fmt.Errorf("looking for the manual: %w", err)
	}
	for _, a := range built {
		if a.Type != "Binary" {
			continue
		}
		p := describe("cortex-"+system(a.OS)+"-"+processor(a.Arch), release.Version)
		p.OS, p.CPU, p.Files = []string{system(a.OS)}, []string{processor(a.Arch)}, []string{filepath.Base(a.Path)}
		program, err := os.ReadFile(filepath.Join(filepath.Dir(dist), filepath.FromSlash(a.Path)))
		if err != nil {
			return fmt.Errorf("reading a program: %w", err)
		}
		if err := lay(to, p, file{p.Files[0], program, 0o755}); err != nil {
			return err
		}
		main.Optional[p.Name] = release.Version
	}
	if len(main.Optional) == 0 {
		return fmt.Errorf("reading %s: there is no program in it", dist)
	}
	files := []file{{"start.js", start, 0o755}}
	for _, path := range manual {
		page, err := os.ReadFile(path)
		if err != nil {
			return fmt.Errorf("reading the manual: %w", err)
		}
		name := "man/" + filepath.Base(path)
		files, main.Files, main.Man = append(files, file{name, page, 0o644}), append(main.Files, name), append(main.Man, name)
	}
	return lay(to, main, files...)
}

func describe(name, version string) manifest {
	return manifest{
		Name: scope + "/" + name, Version: version, Description: about, License: license,
		Repository: "github:git-cortex/cortex",
	}
}

// system and processor are what Node calls those of Go.
func system(goos string) string {
	if goos == "windows" {
		return "win32"
	}
	return goos
}

func processor(goarch string) string {
	if goarch == "amd64" {
		return "x64"
	}
	return goarch
}

func decode(path string, into any) error {
	data, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(data, into)
	}
	if err != nil {
		return fmt.Errorf("reading what goreleaser built: %w", err)
	}
	return nil
}

// file is one of a package, by its slash-separated path in it.
type file struct {
	name string
	data []byte
	mode fs.FileMode
}

// lay writes a package: its manifest, and the files that it is for.
func lay(to string, p manifest, files ...file) error {
	dir := filepath.Join(to, filepath.FromSlash(p.Name))
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetIndent("", "  ")
	if err := enc.Encode(p); err != nil {
		return fmt.Errorf("encoding the manifest of %s: %w", p.Name, err)
	}
	for _, f := range append(files, file{"package.json", text.Bytes(), 0o644}) {
		path := filepath.Join(dir, filepath.FromSlash(f.name))
		err := os.MkdirAll(filepath.Dir(path), 0o755)
		if err == nil {
			err = atomicfile.WritePath(path, f.data, atomicfile.Options{Mode: f.mode, NoSync: true})
		}
		if err != nil {
			return fmt.Errorf("writing the package %s: %w", p.Name, err)
		}
	}
	return nil
}
