package purge

import (
	"path"
	"slices"
	"strings"

	"github.com/git-cortex/cortex/gitops"
	"github.com/git-cortex/cortex/internal/lists"
	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
)

// Step is one thing that is left to a person: what it is for, and the commands, if there
// are any.
type Step struct {
	What     string   `json:"what"`
	Commands []string `json:"commands"`
}

// plan gathers steps.
type plan []Step

func (p *plan) add(what string, commands ...string) {
	*p = append(*p, Step{what, append([]string{}, commands...)})
}

// Commands lists what is left to a person, in order. They remove histories, for good, so
// they are printed and never run. They are for a POSIX shell, in the top folder of the clone, and
// name neither the text nor what tells of it: that stands in files that [Clear] writes.
func (p *Places) Commands() []Step {
	if len(p.Places) == 0 {
		return nil
	}
	var steps plan
	if !slices.ContainsFunc(p.Places, func(at Place) bool { return at.Kind != Rules }) {
		steps.add("remove the file with the text that the steps of a purge used, once all of them are done",
			"rm -r "+rules)
		return steps
	}
	steps.add("stop the agents that work in this clone, in each of its working trees, and start none before" +
		" the last step: what they write in between would be lost, or bring the text back")
	if p.partial {
		steps.add("make a whole clone of this partial one: git gc removes nothing that came from the remote"+
			" of a partial clone, and what was not fetched cannot be looked through; where a command fails,"+
			" make the clone anew, without a filter", whole()...)
		steps.add("run cortex purge again with --yes, for the steps that come next")
		return steps
	}
	if p.rewrites() && !p.Has(Rules) {
		steps.add("run cortex purge again with --yes: it writes what the next steps need below" +
			" .git/cortex/purge, readable for you alone")
	}
	p.here(&steps)
	p.journals(&steps)
	p.rewriting(&steps)
	if p.Has(Mirror) {
		steps.add("what remotes still have: git fetch brings its branches here, and purge again the steps for" +
			" them; what git cannot fetch or push, as pull requests, their hosts have to remove")
	}
	if p.rewrites() || p.Has(Rules) {
		steps.add("remove the file with the text that these steps used", "rm -r "+rules)
	}
	steps.add("in every other clone do the same, from its own cortex purge on, before it pushes or syncs again," +
		" or make it anew: its branches become the same commits as here; what it has not changed can also" +
		" follow the remote with git fetch and git reset --hard")
	steps.add("run cortex purge once more, with --remote: it reads every object here and in a new copy of each" +
		" remote, and says whether anything is left")
	return steps
}

// whole fetches all that a partial clone left at its remotes, and takes the marks off its packs
// once nothing is missing.
func whole() []string {
	const marks = `"$(git rev-parse --git-common-dir)"/objects/pack/*.promisor`
	return []string{
		eachPromisor + `git fetch --no-auto-gc --no-filter --refetch "$remote" || exit; done`,
		"! git rev-list --objects --all --missing=print | grep -q '^[?]' && rm -f " + marks,
		eachPromisor + `git config --unset-all "remote.$remote.promisor"; ` +
			`git config --unset-all "remote.$remote.partialclonefilter"; done`,
	}
}

// here are the steps for the working tree, the spool and snapshots.
func (p *Places) here(steps *plan) {
	if p.Has(File) {
		commands := p.removals()
		commands = append(commands, "cortex project",
			"git diff --quiet HEAD -- .cortex || git commit -q -m 'Remove a memory' -- .cortex")
		steps.add("remove the files of the working tree, or edit those that no command names; one that was"+
			" never added to git: with rm; the pages are made again without it", commands...)
	}
	if p.Has(Spool) {
		steps.add("move what waits in the spool to the journal, and run purge again", "cortex doctor --fix")
	}
	if p.Has(Snapshot) {
		commands := lists.Map(p.of(Snapshot), func(at Place) string {
			return "git update-ref -d " + gitops.Quote(at.Ref)
		})
		steps.add("remove the snapshots of resets: they cannot be undone any more", commands...)
	}
}

// removals remove the memories of the working tree that say it. Pages follow.
func (p *Places) removals() []string {
	var commands []string
	for _, at := range p.of(File) {
		if spec, ok := pathspec(at.Path); ok && !at.name {
			commands = append(commands, "git rm -q -f --ignore-unmatch -- "+gitops.Quote(spec))
		}
	}
	return commands
}

// journals are the steps for the journal, here and at remotes.
func (p *Places) journals(steps *plan) {
	var takes, sends []string
	for _, r := range p.remotes() {
		takes = append(takes,
			"cortex sync --accept-removals "+gitops.Quote(r),
			"git push "+gitops.Quote(r)+" --delete refs/cortex/journal",
			"git update-ref -d "+gitops.Quote("refs/cortex-remotes/"+r+"/journal"))
		sends = append(sends, "cortex sync "+gitops.Quote(r))
	}
	if len(takes) > 0 {
		steps.add("take in what others sent (after cortex purge --yes), and remove the journals of remotes with"+
			" their histories", takes...)
	}
	if p.inJournal() {
		steps.add("begin the history of the journal anew, from its newest state (after cortex purge --yes)",
			"git update-ref refs/cortex/journal $(git commit-tree -m 'purge' 'refs/cortex/journal^{tree}')",
			"git reflog expire --expire=now --expire-unreachable=now refs/cortex/journal",
			"git update-ref -d "+gitops.SafeRef)
	}
	if len(sends) > 0 {
		steps.add("send what is left, as a new journal; in every other clone run cortex purge --yes and these"+
			" steps for its own journal before it syncs again, or it brings the text back", sends...)
	}
}

// inJournal reports whether a state of the journal has the text.
func (p *Places) inJournal() bool {
	return p.Has(Pending, Removed, Record, Remote) ||
		slices.ContainsFunc(p.of(History), func(at Place) bool { return at.Ref != "" })
}

// rewriting are the steps that rewrite what git has.
func (p *Places) rewriting(steps *plan) {
	if p.inRefs() {
		p.rewritingRefs(steps)
	}
	if len(p.scrubs()) > 0 {
		steps.add("replace the text in files of git's own folder, such as its settings; a folder there that bears"+
			" it, as that of a working tree, is for you to rename", "python3 "+rulesIn(rulesFile))
	}
	if p.Has(History, Outside, Message, Name, Ref, Object, Git, Snapshot, Remote, Pending, Removed, Record) {
		commands := []string{forget}
		if p.kept {
			commands = append(commands, `rm -f "$(git rev-parse --git-common-dir)"/objects/pack/*.keep`)
		}
		steps.add("let git forget what no ref holds any more; every stash goes too, so apply first what you need"+
			" of them", append(commands, "git gc --prune=now")...)
	}
	if p.inRefs() && p.hits != nil && p.hits.pages {
		steps.add("make the generated pages anew: the old ones went with their history",
			"cortex project", "git add -A .cortex",
			"git diff --cached --quiet HEAD -- .cortex || git commit -q -m 'Render the pages anew' -- .cortex")
	}
}

// inRefs reports whether a ref that is no ref of cortex leads to the text, or has it in its name.
func (p *Places) inRefs() bool { return len(p.holding()) > 0 || len(p.renamed) > 0 }

// rewritingRefs are the steps that rewrite the histories of refs.
func (p *Places) rewritingRefs(steps *plan) {
	if p.trees {
		steps.add("give each other working tree without a branch one, so that it is rewritten too",
			eachTree+`git -C "$tree" symbolic-ref -q HEAD >/dev/null || `+
				`git -C "$tree" switch -q -c "purge-$(git -C "$tree" rev-parse --short HEAD)"; done`)
	}
	commands := p.fetches()
	branches, others := p.renames()
	if branches != "" {
		commands = append(commands, "xargs -n 2 git branch -m <"+rulesIn(branchesFile))
	}
	commands = append(commands, rewrite)
	if others != "" {
		commands = append(commands, "xargs -n 1 git update-ref -d <"+rulesIn(othersFile))
	}
	steps.add("commit what you have changed, in every working tree, or it is lost; then rewrite all refs of this"+
		" clone, branches of remotes too, and push those that a remote still has; git filter-repo is a program of"+
		" its own: apt install git-filter-repo, brew install git-filter-repo, or pip install git-filter-repo",
		append(commands, p.pushes()...)...)
	steps.add("remove what git filter-repo and git fetch noted",
		`rm -rf "$(git rev-parse --git-common-dir)/filter-repo" "$(git rev-parse --git-dir)/FETCH_HEAD"`)
	if p.trees {
		steps.add("bring each working tree to its rewritten branch", eachTree+`git -C "$tree" reset -q --hard; done`)
	}
}

// rules is the folder with what may not be printed, for a shell; eachTree begins a loop
// over the working trees, and eachPromisor over the remotes to which a partial clone leaves objects.
const (
	rules    = `"$(git rev-parse --git-common-dir)/cortex/` + rulesDir + `"`
	eachTree = `git worktree list --porcelain | sed -n 's/^worktree //p' | while read -r tree; do `

	eachPromisor = `git config --name-only --get-regexp '^remote[.].*[.]promisor$' | ` +
		`sed 's/^remote[.]//; s/[.]promisor$//' | while read -r remote; do `
)

// rulesIn is one of the files in it.
func rulesIn(name string) string { return strings.TrimSuffix(rules, `"`) + "/" + name + `"` }

// rewrite takes the text out of all refs: out of contents, names of files, messages, names and
// addresses of people, and names of refs.
const rewrite = "PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=" + rules +
	" git filter-repo --force --partial --prune-empty never" +
	" --blob-callback 'import cortex_purge; cortex_purge.blob(blob)'" +
	" --filename-callback 'import cortex_purge; return cortex_purge.path(filename)'" +
	" --message-callback 'import cortex_purge; return cortex_purge.text(message)'" +
	" --name-callback 'import cortex_purge; return cortex_purge.text(name)'" +
	" --email-callback 'import cortex_purge; return cortex_purge.text(email)'" +
	" --refname-callback 'import cortex_purge; return cortex_purge.ref(refname)'"

// rewrites reports whether there is a step that needs the files of rules.
func (p *Places) rewrites() bool { return p.inRefs() || len(p.scrubs()) > 0 }

// scrubs are the files of git's folder that are to be edited.
func (p *Places) scrubs() []string {
	return lists.Where(lists.Map(p.of(Git), func(at Place) string { return at.real }), scrubbed)
}

// forget expires git's logs, of every working tree, but for that of the journal: the step
// that begins the journal anew has emptied it, and what came since is needed if the
// newest state is ever damaged. With --expire=now on the command line no setting would
// be heard; and the log of stashes needs one of its own.
const forget = "git -c gc.refs/cortex/journal.reflogExpire=never" +
	" -c gc.refs/cortex/journal.reflogExpireUnreachable=never" +
	" -c gc.refs/stash.reflogExpire=now -c gc.refs/stash.reflogExpireUnreachable=now" +
	" -c gc.reflogExpire=now -c gc.reflogExpireUnreachable=now reflog expire --all"

// remotes are those whose journal holds the text.
func (p *Places) remotes() []string {
	var names []string
	for _, at := range p.of(Remote) {
		name, ours := strings.CutPrefix(at.Ref, "refs/cortex-remotes/")
		name, whole := strings.CutSuffix(name, "/journal")
		if ours && whole {
			names = append(names, name)
		}
	}
	return names
}

// holding are the refs whose histories hold the text, in their order. Those whose names have it
// are renamed.
func (p *Places) holding() []string {
	refs := lists.Map(p.of(Outside, Message, Name), func(at Place) string { return at.Ref })
	holding := slices.Concat(p.Refs, refs)
	holding = lists.Without(holding, func(ref string) bool { return ref == "" || strings.Contains(ref, "*") })
	slices.Sort(holding)
	return slices.Compact(holding)
}

// tracked is the branch of a remote that a ref stands for, by the narrowest settings of
// remotes that fit. It reports false where the ref holds something else of a remote, as a
// pull request, since a push would make a branch of it there; and where two remotes keep
// their branches at the same place.
func (p *Places) tracked(ref string) (host, name string, ok bool) {
	var hosts []string
	for _, s := range p.fitting(ref) {
		if at, of := s.Branch(ref); of && at != "HEAD" {
			hosts = append(hosts, s.Remote)
			name = at
		}
	}
	slices.Sort(hosts)
	if hosts = slices.Compact(hosts); len(hosts) != 1 {
		return "", "", false
	}
	return hosts[0], name, true
}

// fitting are the settings of remotes that name a ref of this clone, those alone that are as
// narrow as any.
func (p *Places) fitting(ref string) []gitops.Refspec {
	var fitting []gitops.Refspec
	narrowest := 0
	for _, s := range p.specs {
		if _, fits := s.Source(ref); fits {
			fitting = append(fitting, s)
			narrowest = max(narrowest, width(s))
		}
	}
	return lists.Without(fitting, func(s gitops.Refspec) bool {
		return width(s) < narrowest || !slices.Contains(p.hosts, s.Remote)
	})
}

// width is how much of a ref a setting fixes.
func width(s gitops.Refspec) int { return len(strings.TrimSuffix(s.Here, "*")) }

// fetches has git ask each remote that has one of the refs what it has by now: what
// others pushed meanwhile is rewritten with the rest.
func (p *Places) fetches() []string {
	var commands []string
	for _, ref := range append(p.holding(), p.renamed...) {
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
	var commands []string
	for i, host := range p.hosts {
		for _, ref := range p.holding() {
			if there, ok := p.there(host, ref); ok {
				commands = append(commands, "git ls-remote --exit-code "+gitops.Quote(host)+" "+gitops.Quote(there)+
					" && "+pushed(host, ref, there))
			}
		}
		commands = append(commands, p.renamesAt(i, host)...)
	}
	return commands
}

// pushed replaces a ref of a remote by one of this clone.
func pushed(host, ref, there string) string {
	if ref != there {
		ref += ":" + there
	}
	return "git push --force " + gitops.Quote(host) + " " + gitops.Quote(ref)
}

// renamesAt gives the refs of a remote whose names have the text the names that they have here
// after they were rewritten.
func (p *Places) renamesAt(i int, host string) []string {
	var commands []string
	for _, ref := range p.renamed {
		if there, ok := p.there(host, ref); ok {
			commands = append(commands, pushed(host, p.afterwards(ref), p.afterwards(there)))
		}
	}
	if len(commands) > 0 {
		commands = append(commands, "xargs -n 1 git push -q "+gitops.Quote(host)+" --delete <"+rulesIn(refsOf(i)))
	}
	return commands
}

// renames are the lines of two files: the branches whose names have the text, each with its
// next name, which are renamed with their settings before; and the other refs, whose old
// names stay beside the rewritten ones otherwise.
func (p *Places) renames() (branches, others string) {
	const heads = "refs/heads/"
	for _, ref := range p.renamed {
		if name, ok := strings.CutPrefix(ref, heads); ok {
			branches += name + "\n" + strings.TrimPrefix(p.afterwards(ref), heads) + "\n"
			continue
		}
		others += ref + "\n"
	}
	return branches, others
}

// afterwards is the name of a ref once it is rewritten.
func (p *Places) afterwards(ref string) string {
	return string(p.pattern.replaced([]byte(ref), "removed"))
}

// there is the name that a ref of this clone has at a remote, if it stands for one there.
func (p *Places) there(host, ref string) (string, bool) {
	if strings.HasPrefix(ref, "refs/tags/") || strings.HasPrefix(ref, "refs/notes/") {
		return ref, true
	}
	at, name, ok := p.tracked(ref)
	return "refs/heads/" + name, ok && at == host
}

// pathspec names the file of one memory without its slug, or by its whole path where its name
// has no id. It reports false for other files, and where * stands for the text in what is left.
func pathspec(at string) (string, bool) {
	if !within(at, workspace.MemoriesDir) || path.Ext(at) != ".md" {
		return "", false
	}
	if _, short, ok := ofSlug(path.Base(at)); ok {
		return ":(glob)" + workspace.MemoriesDir + "/**/*-" + memory.ID(short).Short() + "*.md", true
	}
	return at, !strings.Contains(at, "*")
}

// inName is how long an id is at the end of a file's name, see [memory.ID.Short].
const inName = 7

// page reports whether a path is that of a page, which is made from memories.
func page(f string) bool {
	return slices.Contains(pages(), strings.TrimPrefix(f, workspace.Dir+"/"))
}

// unseen says where [Find] never looks.
func unseen() []string {
	return []string{
		"files outside of .cortex that are not in git",
		"your own memories of all projects",
		"transcripts of agents",
	}
}

// Beyond says what no command of this clone takes back.
func Beyond() []string {
	return []string{
		"a secret that was pushed is known: revoke it first",
		"other clones and forks keep what they fetched; each has to be cleared or made anew",
		"hosts keep pull requests, caches and backups: ask their support",
		"the agent's own transcripts on each machine still hold it; with git config cortex.secret PATTERN" +
			" it is not captured again",
	}
}
