package purge

import (
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
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
	if len(p.Places) > 0 {
		add("stop the agents that work in this clone, in each of its working trees, and start none before the last step: what they write in between would be lost, or bring the text back")
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
				commands = append(commands, "git rm -f --ignore-unmatch -- "+gitops.Quote(f))
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
				commands = append(commands, "git update-ref -d "+gitops.Quote(at.Ref))
			}
		}
		add("remove the snapshots of resets: they cannot be undone any more", commands...)
	}
	remotes := p.remotes()
	if len(remotes) > 0 {
		commands := []string{}
		for _, r := range remotes {
			commands = append(commands, "cortex sync --accept-removals "+gitops.Quote(r), "git push "+gitops.Quote(r)+" --delete refs/cortex/journal", "git update-ref -d "+gitops.Quote("refs/cortex-remotes/"+r+"/journal"))
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
			commands = append(commands, "cortex sync "+gitops.Quote(r))
		}
		add("send what is left, as a new journal; in every other clone run cortex purge --yes and these steps for its own journal before it syncs again, or it brings the text back", commands...)
	}
	if len(p.holding()) > 0 {
		commands := append(p.fetches(), p.rewrite(files)) // at once: it takes no second run for certain
		add("commit what you have changed, or it is lost; then rewrite all refs of this clone, branches of remotes too, and push those that a remote still has (git filter-repo is a program of its own; each line of its file is a text)", append(commands, p.pushes()...)...)
	}
	if p.Has(History, Outside, Message, Snapshot, Remote, Pending, Removed, Record) {
		add("let git forget what no ref holds any more; every stash goes too, so apply first what you need of them", forget, "git gc --prune=now")
	}
	return steps
}

// forget expires git's logs, of every working tree, but for that of the journal: the step
// that begins the journal anew has emptied it, and what came since is needed if the
// newest state is ever damaged. With --expire=now on the command line no setting would
// be heard; and the log of stashes needs one of its own.
const forget = "git -c gc.refs/cortex/journal.reflogExpire=never -c gc.refs/cortex/journal.reflogExpireUnreachable=never" +
	" -c gc.refs/stash.reflogExpire=now -c gc.refs/stash.reflogExpireUnreachable=now" +
	" -c gc.reflogExpire=now -c gc.reflogExpireUnreachable=now reflog expire --all"

// rewrite is the command that takes the text out of all histories, with the files of the
// working tree that hold it.
func (p *Places) rewrite(files []string) string {
	command := "git filter-repo --force --partial"
	whole := !p.Has(Outside) && !p.former && (len(files) > 0 || len(p.Refs) == 0)
	for _, f := range files {
		if ofMemory(f) || page(f) {
			command += " --path-glob " + gitops.Quote(f)
		} else {
			whole = false
		}
	}
	if strings.Contains(command, " --path-glob ") {
		command += " --invert-paths"
	}
	if !whole {
		command += " --replace-text FILE-WITH-THE-TEXT"
	}
	if p.Has(Message) {
		command += " --replace-message FILE-WITH-THE-TEXT"
	}
	return command
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

// holding are the refs whose histories hold the text, in their order.
func (p *Places) holding() []string {
	holding := slices.Clone(p.Refs)
	for _, at := range p.Places {
		if at.Ref != "" && slices.Contains([]Kind{Outside, Message}, at.Kind) {
			holding = append(holding, at.Ref)
		}
	}
	slices.Sort(holding)
	return slices.Compact(holding)
}

// tracked is the branch of a remote that a ref stands for, by the narrowest settings of
// remotes that fit. It reports false where the ref holds something else of a remote, as a
// pull request, since a push would make a branch of it there; and where two remotes keep
// their branches at the same place.
func (p *Places) tracked(ref string) (host, name string, ok bool) {
	narrowest := 0
	for _, s := range p.specs {
		if _, fits := s.Source(ref); fits {
			narrowest = max(narrowest, width(s))
		}
	}
	for _, s := range p.specs {
		at, of := s.Branch(ref)
		if !of || width(s) < narrowest || at == "HEAD" || !slices.Contains(p.hosts, s.Remote) {
			continue
		}
		if ok && host != s.Remote {
			return "", "", false
		}
		host, name, ok = s.Remote, at, true
	}
	return host, name, ok
}

// width is how much of a ref a setting fixes.
func width(s gitops.Refspec) int { return len(strings.TrimSuffix(s.Here, "*")) }

// fetches has git ask each remote that has one of the refs what it has by now: what
// others pushed meanwhile is rewritten with the rest.
func (p *Places) fetches() []string {
	commands := []string{}
	for _, ref := range p.holding() {
		if host, _, ok := p.tracked(ref); ok {
			commands = append(commands, "git fetch "+gitops.Quote(host))
		}
	}
	slices.Sort(commands)
	return slices.Compact(commands)
}

// pushes replaces at each remote the branches and tags that hold the text, each by what it
// was there, rewritten, and as far as the remote still has it. Nothing else is pushed: what
// a remote never had stays here, and what was deleted there stays deleted.
func (p *Places) pushes() []string {
	const branches = "refs/heads/"
	var commands []string
	for _, host := range p.hosts {
		for _, ref := range p.holding() {
			there := ref
			if !strings.HasPrefix(ref, "refs/tags/") {
				at, name, ok := p.tracked(ref)
				if !ok || at != host {
					continue
				}
				there = branches + name
			}
			what := ref
			if ref != there {
				what += ":" + there
			}
			commands = append(commands, "git ls-remote --exit-code "+gitops.Quote(host)+" "+gitops.Quote(there)+" && git push --force "+gitops.Quote(host)+" "+gitops.Quote(what))
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

// Unseen says where [Find] does not look.
func Unseen() string {
	return "Not looked at: files outside of .cortex that are not committed, and the names of files there, of branches, tags and authors."
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
