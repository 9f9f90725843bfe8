package doctor

// Rule is one thing that `cortex check` looks for.
type Rule struct{ Name, About string }

// Rules are all of them, in the order in which FORMAT.md lists them.
func Rules() []Rule {
	return []Rule{
		{"format", "A file below .cortex/memories cannot be read as a memory"},
		{"duplicate-id", "Two files carry the same id"},
		{"case", "Two paths differ in letter case alone"},
		{"name", "The file name does not end in the id of the memory"},
		{"link", "A link leads to no memory"},
		{"secret", "Something looks like a secret"},
		{"hidden-text", "There are characters that a reader cannot see, or that control a terminal"},
		{"harness-tag", "There is text that looks like an agent's own tags"},
		{"instruction", "There is text that gives an agent orders"},
		{"contradiction", "Two memories in force contradict each other"},
		{"size", "A text is longer than what an agent is given of it"},
		{"page", "A generated page does not match the memories"},
		{"merge", "A merge lost a memory"},
	}
}
