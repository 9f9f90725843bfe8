package capture

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/internal/testrun"
)

// longSession makes a session of about size bytes in the proportions of real
// ones: most of it tool output that says nothing, then the agent's words.
func longSession(t testing.TB, size int) []byte {
	t.Helper()
	session := load(t, "testdata/planning.jsonl")
	output := strings.Repeat(`     1→\tfunc example() error { return errors.New(\"no\") }\n`, 300)
	var b bytes.Buffer
	for n := 0; b.Len() < size; n++ {
		for line := range bytes.Lines(session) {
			line = bytes.ReplaceAll(line, []byte(`-0000-4000-8000-`), fmt.Appendf(nil, "-0000-4000-%04x-", n))
			b.Write(bytes.ReplaceAll(line, []byte("storm"), fmt.Appendf(nil, "storm%d", n%50)))
			if bytes.Contains(line, []byte(`"tool_use"`)) {
				fmt.Fprintf(&b, `{"isSidechain":false,"type":"user","message":{"role":"user","content":[{"tool_use_id":"x","type":"tool_result","content":"%s"}]},"toolUseResult":{"file":{"content":"%s"}},"uuid":"%d-%d"}`+"\n",
					output[:6000], output[:6000], n, b.Len())
			}
			if b.Len() >= size {
				break
			}
		}
	}
	return b.Bytes()
}

func BenchmarkRun(b *testing.B) {
	for _, size := range []int{200 << 10, 8 << 20} {
		b.Run(fmt.Sprintf("%dKB", size>>10), func(b *testing.B) {
			data := longSession(b, size)
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				capture(b, data, Options{})
			}
		})
	}
}

// BenchmarkResume reads as a stop hook does: 200 KB after 2 MB read before.
func BenchmarkResume(b *testing.B) {
	data := longSession(b, 2200<<10)
	cut := bytes.LastIndexByte(data[:2000<<10], '\n') + 1
	first := capture(b, data[:cut], Options{})
	b.SetBytes(int64(len(data) - cut))
	for b.Loop() {
		if res := capture(b, data, Options{Previous: first.Session}); !res.Resumed {
			b.Fatal("not resumed")
		}
	}
}

// repeated is an endless session as a stream, so that no test holds it.
type repeated struct {
	block []byte
	size  int64
	at    int64
}

func (r *repeated) Read(p []byte) (int, error) {
	if r.at >= r.size {
		return 0, io.EOF
	}
	n := copy(p, r.block[r.at%int64(len(r.block)):])
	n = int(min(int64(n), r.size-r.at))
	r.at += int64(n)
	return n, nil
}

func (r *repeated) Seek(offset int64, whence int) (int64, error) {
	if whence != io.SeekStart {
		return 0, fmt.Errorf("seeking with whence %d", whence)
	}
	r.at = offset
	return offset, nil
}

// TestMemoryIsBounded reads a long session and looks at what is held.
func TestMemoryIsBounded(t *testing.T) {
	size := int64(20 << 20)
	if testrun.Full() {
		size = 60 << 20
	}
	// without uuids, or all but the first block would be skipped as repeated
	src := &repeated{block: bytes.ReplaceAll(longSession(t, 1<<20), []byte(`"uuid"`), []byte(`"none"`)), size: size}
	runtime.GC()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	res, err := Run(context.Background(), src, Options{Now: now()})
	if err != nil {
		t.Fatal(err)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	held := int64(after.HeapAlloc) - int64(before.HeapAlloc)
	if held > 16<<20 {
		t.Errorf("%d MB held after %d MB of transcript", held>>20, size>>20)
	}
	runtime.KeepAlive(res)
}
