package pgtest_test

import (
	"os"
	"testing"

	"github.com/git-cortex/cortex/internal/pgtest"
)

func TestMain(m *testing.M) {
	code := m.Run()
	pgtest.Stop()
	os.Exit(code)
}

func TestEach(t *testing.T) {
	pgtest.Each(t, func(t *testing.T, s *pgtest.Server) {
		dsn := s.Database(t)
		pgtest.Exec(t, dsn, "create table a (b int)", "insert into a values (1)")
	})
}
