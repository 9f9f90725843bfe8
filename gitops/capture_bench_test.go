package gitops

import (
	"fmt"
	"testing"
)

// BenchmarkCapture is a commit to the journal of so many new memories at once, on the disk.
func BenchmarkCapture(b *testing.B) {
	for _, n := range []int{1, 3, 10, 37} {
		b.Run(fmt.Sprint("memories=", n), func(b *testing.B) {
			r := openRepo(b, initRepo(b))
			for serial := 0; b.Loop(); serial++ {
				c := Change{Message: "capture", Put: map[string][]byte{}}
				for i := range n {
					kind := []string{"decision", "fix", "gotcha", "learned", "plan"}[i%5]
					c.Put[fmt.Sprintf("pending/main/%s/2026-11/memory-%07d.md", kind, serial*100+i)] = fmt.Appendf(nil, "memory %d of capture %d\n", i, serial)
				}
				if out := capture(b, r, c); out.Commit == "" {
					b.Fatalf("%+v", out)
				}
			}
		})
	}
}
