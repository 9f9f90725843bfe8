package imports

import (
	"context"
	"io/fs"

	"github.com/git-cortex/cortex/workspace"
)

// Kind is one kind of source, with the help that a command about it shows. One of File and
// Folder is nil, or both work.
type Kind struct {
	Use, Short, Long, Example string

	File   func(context.Context, *workspace.Workspace, Input) (Result, error)
	Folder func(ctx context.Context, w *workspace.Workspace, dir fs.FS, dry bool) (Result, error)
}

// Kinds returns all kinds of source but [Store].
func Kinds() []Kind {
	return []Kind{
		{
			"jsonl FILE", "Import JSON Lines, one document on each line",
			`Import one document from each line of FILE (- for standard input): an object
with "id", "title", "text", "type" and "date". Only a title or a text is
required; a missing title is taken from the text. The id is kept as "ref".`,
			"  cortex import jsonl notes.jsonl\n  some-tool --dump | cortex import jsonl -", JSONL, nil,
		},
		{
			"mcp-memory FILE", "Import the file of the MCP memory server",
			`Import memory.jsonl, the file of the reference memory server of the Model
Context Protocol: each entity becomes a memory of its observations, each
relation a link.`,
			"  cortex import mcp-memory ~/memory.jsonl", MCPMemory, nil,
		},
		{
			"notes FILE|FOLDER", "Import Markdown such as CLAUDE.md, or an agent's notes",
			`Import a Markdown file of instructions or notes, such as CLAUDE.md or AGENTS.md:
each section becomes a memory. A file whose frontmatter has a type, and a title or
a name, becomes one memory with them. Of a FOLDER, such as that in which Claude
Code keeps what it wrote for itself, every file is read.`,
			"  cortex import notes CLAUDE.md\n  cortex import notes ~/.claude/projects/-home-me-pump/memory",
			Notes, NotesFolder,
		},
		{
			"beads FILE", "Import the issues of beads",
			`Import .beads/issues.jsonl, the issues of beads: a bug becomes a problem, or a fix
once it is closed; other work becomes a plan, or progress. The description,
design, notes, comments and reason for closing are kept, and dependencies become
links. Deleted issues are passed over. What bd remember kept becomes something
learned: bd export --include-memories writes it into the file.`,
			"  cortex import beads .beads/issues.jsonl --dry-run", Beads, nil,
		},
		{
			"adr FOLDER", "Import architecture decision records",
			`Import a folder of architecture decision records, as adr-tools and MADR write
them: each becomes a decision or a rejected approach with its date, and what
was superseded is linked from what replaced it.`,
			"  cortex import adr docs/decisions --dry-run", nil, ADR,
		},
		{
			"basic-memory FOLDER", "Import notes of Basic Memory",
			`Import a folder of notes of Basic Memory. Each note becomes a memory; an
observation whose category names a type, such as [decision], becomes one of its
own; relations become links.`,
			"  cortex import basic-memory ~/basic-memory", nil, BasicMemory,
		},
	}
}
