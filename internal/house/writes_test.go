package house

import (
	"go/ast"
	"maps"
	"slices"
	"strings"
	"testing"
)

// writers are the functions that may write, make or rename files without
// internal/atomicfile, as "package function", each with its reason.
func writers() map[string]string {
	return map[string]string{
		"internal/atomicfile Rename":   "everybody else's renames",
		"internal/atomicfile RenameIn": "everybody else's renames",

		"cmd/cortex/internal/demo write":       "the demonstration, in a folder of its own",
		"cmd/cortex/internal/demo session":     "the demonstration, in a folder of its own",
		"gitops MergeText":                     "files for git in a folder of its own",
		"gitops/internal/locks Clock":          "an empty file that asks the file system for the time",
		"gitops/internal/clone copied":         "a copy that git edits",
		"gitops/internal/clone installHook":    "puts the hook of another tool back",
		"gitops/internal/clone putAside":       "puts the hook of another tool aside",
		"gitops/internal/clone removeHook":     "puts the hook of another tool back",
		"gitops point":                         "puts a damaged ref aside",
		"gitops put":                           "a full file of the safe gives way to a new one",
		"gitops/internal/staging replaceIndex": "git's own protocol: index.lock becomes the index",
		"gitops/internal/staging stageBeside":  "an index that git made gets the name that says how far it is",
		"gitops writeLooseFile":                "an object, whose temporary name git knows and prunes",
		"gitops writePack":                     "a pack, whose temporary name git knows and prunes",
		"gitops/mirror create":                 "a whole folder that was made beside its place",
		"gitops/mirror Remove":                 "a whole folder leaves its place before it is deleted",
		"workspace/review EditText":            "a file for a person's editor",

		"workspace/internal/diary Note":        "puts the first half of the log aside",
		"workspace/internal/diary TakeRecalls": "takes what was gathered from those who gather",
	}
}

// TestWholeFiles: a file that others read is replaced by internal/atomicfile,
// never by a temporary file and a rename of somebody's own.
func TestWholeFiles(t *testing.T) {
	unused := maps.Clone(writers())
	for _, pkg := range load(t).packages {
		if layerOf(pkg.path) == "tools" {
			continue // they measure the program from outside, in folders of their own
		}
		for _, s := range pkg.files {
			if s.test {
				continue
			}
			for _, f := range checkWrites(s, false) {
				function := pkg.path + " " + f.function
				if _, ok := writers()[function]; !ok {
					t.Errorf("%s:%d: %s in %s: write through internal/atomicfile, or give a reason in writes_test.go", s.path, f.line, f.what, f.function)
				}
				delete(unused, function)
			}
		}
	}
	for function := range unused {
		t.Errorf("%s writes no file any more: take it out of writes_test.go", function)
	}
}

// write is a call that writes, makes or renames a file.
type write struct {
	finding
	function string
}

func checkWrites(s *source, _ bool) []write {
	var found []write
	for _, decl := range s.file.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(function, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			// Rename and WriteFile are also methods of an os.Root.
			if slices.Contains([]string{"Rename", "WriteFile"}, sel.Sel.Name) || s.selects(sel, "os", "CreateTemp", "Create", "O_TRUNC") {
				found = append(found, write{finding{s.line(n), nameOf(sel)}, function.Name.Name})
			}
			return true
		})
	}
	return found
}

func nameOf(sel *ast.SelectorExpr) string {
	if id, ok := sel.X.(*ast.Ident); ok {
		return id.Name + "." + sel.Sel.Name
	}
	return strings.TrimSpace("a call of " + sel.Sel.Name)
}

// wideners are the functions that may set permissions past the umask, as "package function",
// each with its reason.
func wideners() map[string]string {
	return map[string]string{
		"internal/atomicfile keepMode":           "a file that is replaced keeps its permissions",
		"cmd/cortex/internal/process AllowOwner": "takes bits of the owner alone out of the umask",
	}
}

// TestUmask: what the system calls that make files and folders are given is taken less the
// umask, so nothing is written wider than the user allows where nobody changes permissions
// afterwards.
func TestUmask(t *testing.T) {
	unused := maps.Clone(wideners())
	for _, pkg := range load(t).packages {
		for _, s := range pkg.files {
			if s.test {
				continue
			}
			for function := range checkModes(s) {
				function = pkg.path + " " + function
				if _, ok := wideners()[function]; !ok {
					t.Errorf("%s: %s changes permissions: leave them to the umask, or give a reason in writes_test.go", s.path, function)
				}
				delete(unused, function)
			}
		}
	}
	for function := range unused {
		t.Errorf("%s changes no permissions any more: take it out of writes_test.go", function)
	}
}

// checkModes are the functions of a file that set permissions or the umask.
func checkModes(s *source) map[string]bool {
	found := map[string]bool{}
	for _, decl := range s.file.Decls {
		function, ok := decl.(*ast.FuncDecl)
		if !ok {
			continue
		}
		ast.Inspect(function, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if ok && slices.Contains([]string{"Chmod", "Fchmod", "Fchmodat", "Umask"}, sel.Sel.Name) {
				found[function.Name.Name] = true
			}
			return true
		})
	}
	return found
}
