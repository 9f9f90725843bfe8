package purge

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Step is one thing that is left to a person: what it is for, and the commands, if there
// are any.
type Step struct {
	What     string   `json:"what"`
	Commands []string `json:"commands"`
}

// Commands lists what is left to a person, in order. They remove histories, for good, so
// they are printed and never run.
func (p *Places) Commands() []Step {
	var steps []Step
	add := func(what string, commands ...string) {
		if commands == nil {
			commands = []string{}
		}
		steps = append(steps, Step{what, commands})
	}
	var files []string
	for _, at := range p.Places {
		if at.Kind == File {
			files = append(files, at.Path)
		}
	}
	if len(files) > 0 {
		commands := []string{}
		for _, f := range files {
			if ofMemory(f) { // pages follow
				commands = append(commands, "git rm -f --ignore-unmatch -- "+quoted(f))
			}
		}
		add("remove the files of the working tree, or edit those that no command names; one that was never added to git: with rm; the pages are made again without it", append(commands, "cortex project", "git commit -m 'Remove a memory' -- .cortex")...)
	}
	if p.Has(Spool) {
		add("move what waits in the spool to the journal, and run purge again", "cortex doctor --fix")
	}
	if p.Has(Snapshot) {
		commands := []string{}
		for _, at := range p.Places {
			if at.Kind == Snapshot {
				commands = append(commands, "git update-ref -d "+quoted(at.Ref))
			}
		}
		add("remove the snapshots of resets: they cannot be undone any more", commands...)
	}
	remotes := p.remotes()
	if len(remotes) > 0 {
		commands := []string{}
		for _, r := range remotes {
			commands = append(commands, "cortex sync --accept-removals "+quoted(r), "git push "+quoted(r)+" --delete refs/cortex/journal", "git update-ref -d "+quoted("refs/cortex-remotes/"+r+"/journal"))
		}
		add("take in what others sent (after cortex purge --yes), and remove the journals of remotes with their histories", commands...)
	}
	if p.Has(Pending, Removed, Record, Remote) || slices.ContainsFunc(p.Places, func(at Place) bool { return at.Kind == History && at.Ref != "" }) {
		add("begin the history of the journal anew, from its newest state (after cortex purge --yes)",
			"git update-ref refs/cortex/journal $(git commit-tree -m 'purge' 'refs/cortex/journal^{tree}')",
			"git reflog expire --expire=now --expire-unreachable=now refs/cortex/journal")
	}
	if len(remotes) > 0 {
		commands := []string{}
		for _, r := range remotes {
			commands = append(commands, "cortex sync "+quoted(r))
		}
		add("send what is left, as a new journal; in every other clone run cortex purge --yes and these steps for its own journal before it syncs again, or it brings the text back", commands...)
	}
	if len(p.Refs) > 0 || p.Has(Outside) {
		commands := p.branches()
		all := len(files) > 0 && !p.Has(Outside)
		for _, f := range files {
			if ofMemory(f) || page(f) {
				commands = append(commands, "git filter-repo --force --partial --invert-paths --path-glob "+quoted(f))
			} else {
				all = false
			}
		}
		if !all {
			commands = append(commands, "git filter-repo --force --partial --replace-text FILE-WITH-THE-TEXT")
		}
		add("commit what you have changed, and merge what branches of remotes have beyond yours, or it is lost; then rewrite the branches and tags that hold it, and push those that a remote has (git filter-repo is a program of its own; each line of its file is a text)", append(commands, p.pushes()...)...)
	}
	if p.Has(History, Outside, Snapshot, Remote, Pending, Removed, Record) {
		add("let git forget what no ref holds any more; every stash goes too, so apply first what you need of them", "git reflog expire --expire=now --all", "git gc --prune=now")
	}
	return steps
}

// remotes are those whose journal holds the text.
func (p *Places) remotes() []string {
	var names []string
	for _, at := range p.Places {
		name, ok := strings.CutPrefix(at.Ref, "refs/cortex-remotes/")
		if name, whole := strings.CutSuffix(name, "/journal"); at.Kind == Remote && ok && whole {
			names = append(names, name)
		}
	}
	return names
}

// holding are the branches and tags whose histories hold the text, in their order.
func (p *Places) holding() []string {
	holding := slices.Clone(p.Refs)
	for _, at := range p.Places {
		if at.Kind == Outside {
			holding = append(holding, at.Ref)
		}
	}
	slices.Sort(holding)
	return slices.Compact(holding)
}

// tracked takes the ref of a branch of a remote apart. The name of either may hold a slash;
// of two remotes that fit it is the longer one, which git would not allow beside the other.
// host is "" where no remote has that name, and where the ref holds something else of a
// remote than a branch, as a pull request: a push would make a branch of it there.
func (p *Places) tracked(ref string) (host, branch string, ok bool) {
	at, ok := strings.CutPrefix(ref, "refs/remotes/")
	if !ok {
		return "", "", false
	}
	for _, r := range p.hosts {
		if name, of := strings.CutPrefix(at, r+"/"); of && len(r) > len(host) {
			host, branch = r, name
		}
	}
	if slices.ContainsFunc(p.others, func(prefix string) bool {
		return strings.HasPrefix(ref, prefix) && len(prefix) > len("refs/remotes/"+host+"/")
	}) {
		return "", "", true
	}
	return host, branch, true
}

// branches makes a branch here of each that only a remote has, so that it is rewritten
// with the others, and removes the refs of what is no branch of a remote.
func (p *Places) branches() []string {
	commands := []string{}
	holding := p.holding()
	for _, ref := range holding {
		switch host, name, ok := p.tracked(ref); {
		case !ok || name == "HEAD":
		case host == "":
			commands = append(commands, "git update-ref -d "+quoted(ref))
		case !slices.Contains(holding, "refs/heads/"+name):
			commands = append(commands, "git show-ref -q --verify "+quoted("refs/heads/"+name)+" || git branch "+quoted(name)+" "+quoted(host+"/"+name))
		}
	}
	return commands
}

// pushes replaces at each remote the branches of it that hold the text, and the tags as far
// as it has them. Nothing else is pushed: what a remote never had stays here.
func (p *Places) pushes() []string {
	var commands []string
	holding := p.holding()
	for _, host := range p.hosts {
		command := ""
		for _, ref := range holding {
			if at, name, ok := p.tracked(ref); ok && at == host && name != "HEAD" {
				command += " " + quoted("refs/heads/"+name)
			}
		}
		if command != "" {
			commands = append(commands, "git push --force "+quoted(host)+command)
		}
		for _, ref := range holding {
			if strings.HasPrefix(ref, "refs/tags/") {
				commands = append(commands, "git ls-remote --exit-code "+quoted(host)+" "+quoted(ref)+" && git push --force "+quoted(host)+" "+quoted(ref))
			}
		}
	}
	return commands
}

// ofMemory reports whether a path names the file of one memory and, where * stands for the
// text in it, of no other.
func ofMemory(f string) bool {
	name, ok := strings.CutSuffix(f, ".md")
	id := name[strings.LastIndexAny(name, "-/")+1:]
	return ok && strings.HasPrefix(f, workspace.MemoriesDir+"/") && (!strings.Contains(f, "*") || len(id) == inName && memory.IsIDPrefix(id))
}

// inName is how long an id is at the end of a file's name, see [memory.ID.Short].
const inName = 7

// page reports whether a path is that of a page, which is made from memories.
func page(f string) bool {
	return slices.Contains([]string{"decisions.md", "decisions-archive.md", "active-plan.md"}, strings.TrimPrefix(f, workspace.Dir+"/"))
}

// Beyond says what no command of this clone takes back.
func Beyond() []string {
	return []string{
		"a secret that was pushed is known: revoke it first",
		"other clones and forks keep what they fetched; each has to be cleared or made anew",
		"hosts keep pull requests, caches and backups: ask their support",
		"the agent's own transcripts on each machine still hold it; with git config cortex.secret PATTERN it is not captured again",
	}
}

var plain = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9._/-]*$`) })

// quoted is a word for a POSIX shell.
func quoted(s string) string {
	if plain().MatchString(s) {
		return s
	}
	out := []byte{'\''}
	for i := range len(s) {
		if s[i] == '\'' {
			out = append(out, `'\'`...)
		}
		out = append(out, s[i])
	}
	return string(append(out, '\''))
}
