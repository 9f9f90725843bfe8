//go:build !linux

package scratch

import "os"

func peak(*os.ProcessState) int64 { return 0 }
