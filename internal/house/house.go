// Package house holds the rules of this code base that a compiler does not
// check, as tests: which package may import which, what only the command line
// may touch, how large a file or a function may grow, what an error says, and
// that the documents stay short, linked and true.
//
// There is nothing to call. Run the tests; a failure names the place, the rule
// and what to do instead. The layers are described in ARCHITECTURE.md, the
// reasons in CONTRIBUTING.md; .golangci.yml repeats the rules a linter can
// hold, for editors. Change a rule in all of them or not at all.
package house
