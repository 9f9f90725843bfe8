package postgres

import (
	"os"
	"testing"

	"github.com/git-cortex/cortex/internal/pgtest"
	"github.com/git-cortex/cortex/internal/testrun"
)

func TestMain(m *testing.M) {
	code := testrun.InMemory(m).Run()
	pgtest.Stop()
	os.Exit(code)
}
