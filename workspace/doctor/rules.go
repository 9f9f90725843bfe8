package doctor

// Rule is one thing that `cortex check` looks for: what is wrong, and what to do about it.
type Rule struct{ Name, About, Remedy string }

// Rules are all of them, in the order in which docs/json.md lists them.
func Rules() []Rule {
	return []Rule{
		{
			"format", "A file below .cortex/memories cannot be read as a memory",
			"mend the line that is named, or take the file away; FORMAT.md says what a memory is",
		},
		{"duplicate-id", "Two files carry the same id", "keep the file that is right, and remove the other"},
		{"case", "Two paths differ in letter case alone", "rename one of them with git mv"},
		{
			"name", "The file name does not end in the id of the memory",
			"rename it with git mv; cortex show ID says what its id is",
		},
		{
			"link", "A link leads to no memory",
			"take the link out with cortex edit ID, or bring the memory that it leads to",
		},
		{
			"secret", "Something looks like a secret",
			"change the secret, then take it out; cortex purge - says where else it stands",
		},
		{
			"hidden-text", "There are characters that a reader cannot see, or that control a terminal",
			"take the characters out, or remove the memory",
		},
		{
			"harness-tag", "There is text that looks like an agent's own tags",
			"word it without the tags, or remove the memory",
		},
		{
			"homoglyph", "Letters of another script are taken for Latin ones",
			"write the word or the address in the letters that it seems to have, or remove the memory",
		},
		{
			"instruction", "There is text that gives an agent orders",
			"say what is so instead of what to do, or remove the memory",
		},
		{
			"origin", "A memory holds the words of something that an agent read",
			"compare it with what it quotes; remove it, word it yourself with cortex edit ID, or have check_accept" +
				" say that it is right",
		},
		{
			"setting", "A change weakens what guards the memories",
			"take it out; or let a person who may decide it make the change on the default branch",
		},
		{
			"reviewer", "A memory was committed by none of the team's reviewers, where nothing lands by itself",
			"let a reviewer read it and amend the commit, or land it",
		},
		{
			"contradiction", "Two memories in force contradict each other",
			"cortex link NEWER supersedes OLDER, or NEWER agrees OLDER if both hold",
		},
		{
			"surface",
			"Lines that cortex keeps between markers in CLAUDE.md, AGENTS.md or GEMINI.md were edited by hand",
			"move what was written out of the markers, then cortex project --force",
		},
		{
			"contested", "A merge could not decide between two versions, or two memories supersede the same one",
			"cortex review asks about each; or edit the file into one version and remove the line contested; or" +
				" cortex link RIGHT supersedes WRONG",
		},
		{
			"guard", "A guard cannot be read, or the memory behind it is not here",
			"mend or remove the file, or bring the memory back: cortex guard list, cortex restore ID",
		},
		{"size", "A text is longer than what an agent is given of it", "say it in fewer words, or in several memories"},
		{"page", "A generated page does not match the memories", "cortex project, and commit the pages"},
		{"merge", "A merge lost a memory", "bring it back: git checkout SIDE -- FILE, and commit"},
	}
}
