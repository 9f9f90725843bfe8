package agents

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/git-cortex/cortex/memory"
	"github.com/git-cortex/cortex/workspace"
	"github.com/git-cortex/cortex/workspace/internal/view"
	"github.com/git-cortex/cortex/workspace/internal/workspacetest"
)

const benchWords = "index storage segment cache commit branch merge journal reader writer lock snapshot token budget parser " +
	"retry timeout queue gauge station alert threshold schema column migration release build cluster deploy rollback"

// taught is a sentence that no other session says, of words that all have and words that few have.
func taught(r *rand.Rand) string {
	words := strings.Fields(benchWords)
	var out []string
	for range 18 {
		out = append(out, words[min(r.IntN(len(words)), r.IntN(len(words)))])
	}
	for range 4 {
		out = append(out, fmt.Sprintf("%s%d", words[r.IntN(len(words))], r.IntN(20_000)))
	}
	r.Shuffle(len(out), func(i, j int) { out[i], out[j] = out[j], out[i] })
	return strings.Join(out, " ")
}

// teaching writes the transcript of a session that teaches so much, in as many turns.
func teaching(b testing.TB, dir, session string, r *rand.Rand, memories int) string {
	var out bytes.Buffer
	line := func(kind string, i int, content any) {
		data, err := json.Marshal(map[string]any{
			"type": kind, "isSidechain": false, "uuid": fmt.Sprintf("%s-%s-%d", session, kind, i), "sessionId": session, "cwd": dir,
			"timestamp": fmt.Sprintf("2026-11-19T10:%02d:00.000Z", i%60), "message": map[string]any{"role": kind, "content": content},
		})
		if err != nil {
			b.Fatal(err)
		}
		out.Write(append(data, '\n'))
	}
	for i := range memories {
		line("user", i, fmt.Sprintf("Please look at part %d of the station next, and always keep the order.", i))
		line("assistant", i, []any{map[string]string{"type": "text", "text": fmt.Sprintf("It is done.\n[MEMORY: %s] %s.", []memory.Type{memory.Decision, memory.Gotcha, memory.Pattern, memory.Learned}[i%4], taught(r))}})
	}
	path := filepath.Join(b.TempDir(), session+".jsonl")
	if err := os.WriteFile(path, out.Bytes(), 0o666); err != nil {
		b.Fatal(err)
	}
	return path
}

// BenchmarkStop is the hook at the end of a session that taught 37 things, beside a
// thousand memories and twenty other sessions, without the start of a process.
func BenchmarkStop(b *testing.B) {
	w := workspacetest.New(b)
	dir, r := w.Repo.Root, rand.New(rand.NewPCG(3, 7))
	for i := range 1000 {
		m := memory.New([]memory.Type{memory.Decision, memory.Gotcha, memory.Fix}[i%3], fmt.Sprintf("Item %d", i), taught(r)+". "+taught(r)+".", workspacetest.Clock().AddDate(0, 0, -i%300))
		path := filepath.Join(dir, filepath.FromSlash(view.MemoryPath(m.Path())))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(path, memory.Format(m), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	env := workspacetest.Env(b, dir)
	env.Once = true
	stop := func(serial, memories int) {
		b.StopTimer()
		session := fmt.Sprintf("bench-%d", serial)
		path := teaching(b, dir, session, r, memories)
		b.StartTimer()
		w, err := workspace.Open(b.Context(), env)
		if err == nil {
			err = (&hooks{w: w, capturer: newCapturer(w)}).captureNew(b.Context(), HookPayload{Agent: "claude-code", SessionID: session, TranscriptPath: path, Cwd: dir}).Err
		}
		if err == nil {
			err = w.Close()
		}
		if err != nil {
			b.Fatal(err)
		}
	}
	for i := range 20 {
		stop(i, 3)
	}
	serial := 20
	b.ResetTimer()
	for b.Loop() {
		stop(serial, 37)
		serial++
	}
}

// BenchmarkBackfill reads twenty sessions beside so many that were read before, of which it finds
// that nothing was added to them.
func BenchmarkBackfill(b *testing.B) {
	for _, before := range []int{0, 200} {
		b.Run(fmt.Sprintf("before=%d", before), func(b *testing.B) {
			env := workspacetest.Env(b, workspacetest.New(b).Repo.Root)
			env.Now = time.Now // once a day something is cleared up
			w, err := workspace.Open(b.Context(), env)
			if err != nil {
				b.Fatal(err)
			}
			r := rand.New(rand.NewPCG(5, 7))
			var in BackfillInput
			fill := func() {
				if got, err := Backfill(b.Context(), w, in); err != nil || len(got.Skipped) > 0 {
					b.Fatal(err, got.Skipped)
				}
			}
			more := func(n int) {
				for range n {
					in.Paths = append(in.Paths, teaching(b, w.Repo.Root, fmt.Sprintf("past-%d", len(in.Paths)), r, 3))
				}
			}
			more(before)
			fill()
			for b.Loop() {
				b.StopTimer()
				more(20)
				b.StartTimer()
				fill()
			}
		})
	}
}
