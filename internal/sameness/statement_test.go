package sameness

import "testing"

// TestCovers: pairs that share most of their words and do not say the same,
// and restatements that do.
func TestCovers(t *testing.T) {
	for _, pair := range [][2]string{
		{"The export times out after 30 seconds in production", "The export times out after 90 seconds in staging"},
		{"The billing service calls the ledger service", "The ledger service calls the billing service"},
		{"billing calls ledger", "ledger calls billing"},
		{"Error E1042 means the lock file is stale", "Error E1043 means the lock file is stale"},
		{"Run `make lint` before every push to the branch", "Run `make test` before every push to the branch"},
		{"Retries are safe for the payment endpoint", "Retries are not safe for the payment endpoint"},
		{"The cache must never be shared between tenants", "The cache must be shared between tenants"},
		{"We moved from Redis to Postgres for the queue", "We moved from Postgres to Redis for the queue"},
		{"Ana reviews changes of the parser", "Björn reviews changes of the parser, Ana does"},
		{"Use port 8080 for the preview server", "Use port 8081 for the preview server"},
		{"Set RETRY_LIMIT to five in the worker", "Set RETRY_DELAY to five in the worker"},
		{"The config is read from app.yaml at start", "The config is read from app.toml at start"},
		{"It doesn't work with Safari on iPads", "It does work with Safari on iPads"},
		{"Deploy staging before production", "Deploy production before staging"},
	} {
		if Covers(pair[0], pair[1]) {
			t.Errorf("%q is taken for %q", pair[1], pair[0])
		}
	}
	for _, pair := range [][2]string{
		{
			"We chose SQLite because it needs no server, and one file is enough.",
			"we chose SQLite because it needs no server",
		},
		{"The parser rejects tabs: `Edit` fails on lines with tabs.", "The parser rejects tabs."},
		{
			"Because sums of floats were off by one, amounts are integers of cents.",
			"Amounts are integers of cents because sums of floats were off by one.",
		},
		{"Never push to main without a review.", "Never push to main without a review"},
	} {
		if !Covers(pair[0], pair[1]) {
			t.Errorf("%q is not taken for a restatement of %q", pair[1], pair[0])
		}
	}
}
