package files_test

import (
	"os"
	"testing"

	"github.com/git-cortex/cortex/internal/testrun"
)

func TestMain(m *testing.M) { os.Exit(testrun.InMemory(m).Run()) }
