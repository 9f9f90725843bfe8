package agents

import (
	"fmt"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/index"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

// pairs are statements that have most words in common and say different things:
// they differ in a number, a name, an identifier, a direction, a negation or a
// place.
func pairs() [][2]string {
	return [][2]string{
		{"The payment call times out after 30 seconds in production.", "The payment call times out after 90 seconds in staging."},
		{"The billing service calls the ledger service on every charge.", "The ledger service calls the billing service on every charge."},
		{"Error E1042 means that the license file is missing.", "Error E1043 means that the license file is expired."},
		{"Run make lint before every push to the shared branch.", "Run make test before every push to the shared branch."},
		{"Use Postgres 15 for the reporting database in staging.", "Use Postgres 16 for the reporting database in staging."},
		{"The nightly export writes CSV files for the finance team.", "The nightly export writes JSON files for the finance team."},
		{"Retries are safe for the charge endpoint of the gateway.", "Retries are not safe for the charge endpoint of the gateway."},
		{"Tokens of the mobile app expire after one hour.", "Tokens of the web app expire after one hour."},
		{"Deploys to eu-west-1 need approval by the platform team.", "Deploys to us-east-1 need approval by the platform team."},
		{"The cache key holds the tenant id before the user id.", "The cache key holds the user id before the tenant id."},
		{"Anna owns the release checklist of the desktop client.", "Boris owns the release checklist of the desktop client."},
		{"parseDate accepts only UTC timestamps in the import path.", "formatDate accepts only UTC timestamps in the import path."},
		{"The queue worker runs with 4 threads on the small machine.", "The queue worker runs with 16 threads on the large machine."},
		{"Set GOFLAGS=-mod=vendor when you build the release image.", "Set GOFLAGS=-mod=readonly when you build the release image."},
		{"Migrations run before the new pods start.", "Migrations run after the new pods start."},
		{"Feature flags are read at start and never again.", "Feature flags are read at start and again every minute."},
		{"Port 8080 is for the public API of the gateway.", "Port 8081 is for the admin API of the gateway."},
		{"The frontend must not import from the server package.", "The server package must not import from the frontend."},
		{"Logs of the audit service are kept for 30 days.", "Logs of the audit service are kept for 365 days."},
		{"Branch release/2.x gets security fixes only.", "Branch release/3.x gets security fixes only."},
		{"We chose Redis over Memcached for sessions.", "We chose Memcached over Redis for sessions."},
		{"Integration tests need Docker on the build machine.", "Integration tests need Podman on the build machine."},
		{"config/app.yaml is generated from the template.", "config/db.yaml is generated from the template."},
		{"Upload limits are 10 MB for guests and 100 MB for members.", "Upload limits are 100 MB for guests and 10 MB for members."},
	}
}

// TestTagsAreKept: of two tags that are nearly the same neither is taken for a
// restatement of the other: in one session, in two, and after the first has landed.
func TestTagsAreKept(t *testing.T) {
	pairs := testrun.Sample(8, pairs())
	read := func(t *testing.T, w *workspace.Workspace, session string, tags ...string) {
		t.Helper()
		path := workspacetest.Transcript(t, session, strings.Join(tags, `\n\n[MEMORY: decision] `))
		if _, err := Capture(t.Context(), w, CaptureInput{Path: path}); err != nil {
			t.Fatal(err)
		}
	}
	has := func(t *testing.T, w *workspace.Workspace, pair [2]string) {
		t.Helper()
		v := workspacetest.View(t, w, workspace.ViewOptions{})
		var titles []string
		for _, e := range v.Entries(t.Context()) {
			titles = append(titles, e.Memory.Title+".")
		}
		for _, tag := range pair {
			if !strings.Contains(strings.Join(titles, "\n"), tag) {
				t.Errorf("%q is not among %q", tag, titles)
			}
		}
	}
	w := workspacetest.New(t)
	for i, pair := range pairs {
		read(t, w, fmt.Sprintf("one-%d", i), pair[0], pair[1])
		has(t, w, pair)
	}
	w = workspacetest.New(t)
	for i, pair := range pairs {
		read(t, w, fmt.Sprintf("first-%d", i), pair[0])
		read(t, w, fmt.Sprintf("second-%d", i), pair[1])
		has(t, w, pair)
	}
	w = workspacetest.New(t)
	for i, pair := range pairs {
		read(t, w, fmt.Sprintf("first-%d", i), pair[0])
	}
	if _, err := w.Land(t.Context(), nil, true); err != nil {
		t.Fatal(err)
	}
	workspacetest.Commit(t, w, "landed")
	w = workspacetest.Open(t, w.Repo.Root)
	if _, err := w.Prune(t.Context()); err != nil {
		t.Fatal(err)
	}
	for i, pair := range pairs {
		read(t, w, fmt.Sprintf("second-%d", i), pair[1])
		has(t, w, pair)
	}
	if v := workspacetest.View(t, w, workspace.ViewOptions{}); v.Count(index.Landed) != len(pairs) || v.Count(index.Pending) != len(pairs) {
		t.Errorf("%d landed, %d pending", v.Count(index.Landed), v.Count(index.Pending))
	}
}
