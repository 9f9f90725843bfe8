package guards

import (
	"errors"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace/internal/guard"
)

// TestPropose: rules as people say them become guards that speak about the calls they forbid, and
// not about those they ask for.
func TestPropose(t *testing.T) {
	command := func(line string) guard.Call { return guard.Call{Command: line} }
	edit := func(file, added string) guard.Call { return guard.Call{Files: []string{file}, Added: added} }
	for _, c := range []struct {
		rule        string
		speaks, not guard.Call
	}{
		{"Never push to main", command("git push origin main"), command("git push origin fix")},
		{"Never force-push", command("git push --force origin fix"), command("git push origin fix")},
		{"Do not commit to `main` directly", command("git commit -m x"), command("git status")},
		{"Use pnpm, not npm", command("npm install"), command("pnpm install")},
		{"podman instead of docker", command("docker ps"), command("podman ps")},
		{"No edits in generated/", edit("generated/a.go", "x"), edit("src/a.go", "x")},
		{"Never edit *.pb.go by hand: change the .proto", edit("api/a.pb.go", "x"), edit("api/a.proto", "x")},
		{"Run `make check` before every commit", command("git commit -m x"), command("make check && git commit -m x")},
		{"Never use --no-verify", command("git commit --no-verify -m x"), command("git commit -m x")},
		{"No console.log( in src/", edit("src/a.ts", "console.log(1)"), edit("src/a.ts", "log(1)")},
		{"Never run terraform apply", command("terraform -chdir=a apply"), command("terraform plan")},
		{"Never run docker system prune", command("docker system prune -af"), command("docker system df")},
		{"Don't run `gh pr merge --admin`", command("gh pr merge 7 --admin"), command("gh pr merge 7")},
		{"Never run npm publish by hand", command("npm publish --access public"), command("npm pack")},
		{"Never run rm -rf", command("cd a && rm -rf build"), command("rm a.txt && git rm b.txt")},
		{"Don't amend commits that were pushed", command("git commit --amend"), command("git commit")},
	} {
		m := memory.New(memory.Preference, c.rule, "", time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC))
		kept, err := Propose(m, Guard{Action: "deny"})
		if err != nil {
			t.Errorf("%q: %v", c.rule, err)
			continue
		}
		site := &guard.Site{Branch: "main", Ran: func(string) bool { return false }}
		if g := kept[0].Guard; !g.Speaks(&c.speaks, site) || g.Speaks(&c.not, site) {
			t.Errorf("%q is %+v", c.rule, g)
		}
	}
	for _, rule := range []string{
		"Tests are written first", "Prefer short functions", "We pin Go 1.26",
		"Never run make deploy on Fridays", "Never push to main, except for release notes",
	} {
		m := memory.New(memory.Preference, rule, "", time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC))
		if _, err := Propose(m, Guard{Action: "deny"}); !errors.Is(err, ErrNoShape) {
			t.Errorf("%q: %v", rule, err)
		}
	}
}

// TestProposeSentence: of several rules in one memory the guard is of the one that can be checked, says that
// one, and asks where the rule says so.
func TestProposeSentence(t *testing.T) {
	at := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	m := memory.New(memory.Preference, "Always run the tests with -race",
		"Always run the tests with -race. Never commit directly to main without asking me.", at)
	kept, err := Propose(m, Guard{})
	if err != nil {
		t.Fatal(err)
	}
	if g := kept[0]; g.Rule != "Never commit directly to main without asking me." || g.Action != guard.Ask {
		t.Errorf("%q, %s", g.Rule, g.Action)
	}
	m = memory.New(memory.Preference, "Never push to main", "", at)
	if kept, err = Propose(m, Guard{}); err != nil || kept[0].Action != guard.Deny {
		t.Errorf("%+v, %v", kept, err)
	}
	if kept, err = Propose(m, Guard{Action: guard.Warn}); err != nil || kept[0].Action != guard.Warn {
		t.Errorf("%+v, %v", kept, err)
	}
}
