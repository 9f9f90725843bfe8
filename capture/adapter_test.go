package capture

import (
	"bytes"
	"context"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
)

// bundles gives the fixtures that are one JSON document; TestGolden,
// TestResume and TestManyRuns read those that are lines.
func bundles(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.json")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	return files
}

// TestGoldenBundles lists the candidates of the one-document fixtures.
func TestGoldenBundles(t *testing.T) {
	for _, file := range bundles(t) {
		res := capture(t, load(t, file), Options{})
		golden(t, strings.TrimSuffix(file, ".json")+".json.golden", describe(res))
	}
}

// TestNotEvidence: each fixture of an agent has statements in places that are
// not a person's or the agent's words; none may come out.
func TestNotEvidence(t *testing.T) {
	for pattern, words := range map[string][]string{
		"codex-0.169.0-sluice.jsonl":    {"Elm", "because of the pumps", "IDE setup", "heap file"},
		"copilot-1.0.102-hivelog.jsonl": {"strings because", "secret-plan", "the clock", "secrets", "must always use", "Perl", "heap file"},
		"gemini-0.61.0-inkstone.jsonl":  {"Gulp", "cache feeds", "search engines want"},
		"gemini-0.30.0-rota.json":       {"XML", "holidays"},
		"opencode-1.18.33-orchard.json": {"farmers think", "at night", "never local", "heap file"},
		"codex-by-hand.jsonl":           {"Elm", "rg over grep", "outside the workspace", "pumps", "IDE setup"},
		"copilot-by-hand.jsonl":         {"Perl", "strings because", "secret-plan", "clock", "secrets"},
		"gemini-by-hand.jsonl":          {"Gulp", "cache feeds", "search engines want", "safer"},
		"opencode-by-hand.json":         {"Cobol", "farmers think", "Plan mode"},
		"cursor-weir.jsonl":             {"Fortran", "touch the clock"},
	} {
		out := string(session.Format(capture(t, load(t, "testdata/"+pattern), Options{}).Session))
		for _, m := range capture(t, load(t, "testdata/"+pattern), Options{}).held() {
			out += string(memory.Format(m))
		}
		for _, w := range words {
			if i := strings.Index(out, w); i >= 0 {
				t.Errorf("%s: %q came out: …%s…", pattern, w, out[max(0, i-80):min(len(out), i+80)])
			}
		}
	}
}

// TestResumeBundles cuts each document anywhere and reads it in two runs, as
// TestResume does for lines.
func TestResumeBundles(t *testing.T) {
	for _, file := range bundles(t) {
		data := load(t, file)
		whole := newHoldings()
		want := capture(t, data, Options{})
		whole.apply(want)
		resumed := 0
		for cut := 0; cut <= len(data); cut += testrun.Rounds(601, 149) {
			got := newHoldings()
			first := capture(t, data[:cut], Options{})
			got.apply(first)
			previous, err := session.Parse(session.Format(first.Session))
			if err != nil {
				t.Fatal(err)
			}
			second := capture(t, data, Options{Previous: previous, Earlier: got.list()})
			got.apply(second)
			if d := cmp.Diff(whole.titles(), got.titles()); d != "" {
				t.Fatalf("%s cut at %d (-one run +two runs):\n%s", file, cut, d)
			}
			if second.Resumed {
				resumed++
			}
			a, b := *want.Session, *second.Session
			a.Weak, b.Weak = nil, nil
			if d := cmp.Diff(string(session.Format(&a)), string(session.Format(&b))); d != "" && first.Session.Agent != "" {
				t.Fatalf("%s cut at %d: record differs (-one run +two runs):\n%s", file, cut, d)
			}
		}
		if resumed == 0 {
			t.Errorf("%s: never resumed", file)
		}
	}
}

// TestRewind: what a session has rewound is withdrawn when it was captured
// before, and is never found when the rewind is known.
func TestRewind(t *testing.T) {
	head := `{"sessionId":"s1","projectHash":"h","startTime":"2026-07-01T10:00:00Z"}` + "\n"
	line := func(id, typ, at, words string) string {
		return `{"id":"` + id + `","timestamp":"2026-07-01T10:0` + at + `:00Z","type":"` + typ + `","content":"` + words + `"}` + "\n"
	}
	before := head +
		line("a", "user", "1", "From now on never deploy on Fridays, nobody is there to help.") +
		line("b", "gemini", "2", "The deploy job fails on Fridays because `deploy.sh` asks for a second reviewer.") +
		line("c", "user", "3", "We use Postgres instead of SQLite from now on, the file lock is too slow.") +
		line("d", "gemini", "4", "The schema must be created by hand, because `migrate` needs a superuser.")
	rewind := `{"$rewindTo":"c"}` + "\n"
	after := line("e", "user", "5", "Always keep SQLite, we have no server for anything else.")

	kept := newHoldings()
	first := capture(t, []byte(before), Options{Inode: 1})
	kept.apply(first)
	if s := strings.Join(kept.titles(), "\n"); !strings.Contains(s, "Postgres") || !strings.Contains(s, "Fridays") {
		t.Fatalf("first run found:\n%s", s)
	}
	second := capture(t, []byte(before+rewind+after), Options{Inode: 1, Previous: first.Session, Earlier: first.Memories()})
	kept.apply(second)
	whole := newHoldings()
	whole.apply(capture(t, []byte(before+rewind+after), Options{}))
	if d := cmp.Diff(whole.titles(), kept.titles()); d != "" {
		t.Errorf("(-one run +two runs):\n%s", d)
	}
	s := strings.Join(kept.titles(), "\n")
	if strings.Contains(s, "Postgres") || strings.Contains(s, "schema") || !strings.Contains(s, "SQLite") {
		t.Errorf("after the rewind:\n%s", s)
	}
	third := capture(t, []byte(before+rewind+after+line("f", "gemini", "6", "Done.")), Options{Inode: 1, Previous: second.Session, Earlier: second.Memories()})
	if !third.Resumed {
		t.Error("a rewind that is known prevents resuming")
	}
	if all := capture(t, []byte(before+`{"$rewindTo":"zzz"}`+"\n"+after), Options{}); len(all.Session.Requests) != 1 {
		t.Errorf("a rewind to nowhere left %d requests, want the one after it", len(all.Session.Requests))
	}
}

// TestSubagents: the transcript of a subagent is read like any other, but what it was
// told are no person's words, and its session names that of its parent.
func TestSubagents(t *testing.T) {
	claude := func(who, content string) string {
		return `{"parentUuid":null,"isSidechain":true,"userType":"external","type":"` + who + `","uuid":"u` + itoa(len(content)) + `","agentId":"a1b2","sessionId":"p-1","cwd":"/r","timestamp":"2026-03-02T09:00:00Z","message":{"role":"` + who + `","content":` + content + `}}` + "\n"
	}
	for name, c := range map[string]struct{ data, session string }{
		"Claude Code": {claude("user", `"We always keep segments in one file. [MEMORY: decision] Told to a subagent"`) +
			claude("assistant", `[{"type":"text","text":"[MEMORY: gotcha] The reader takes a cut segment for complete"}]`), "p-1/a1b2"},
		"Codex": {
			strings.Replace(string(load(t, "testdata/codex-0.169.0-sluice.jsonl")), `"source":"vscode"`, `"source":{"subagent":{"thread_spawn":{"parent_thread_id":"p-1","depth":1}}}`, 1),
			"p-1/01a229de-19ad-7fd3-a108-dc71fa0221db",
		},
		"Codex, of a parent that is not known": {
			strings.Replace(string(load(t, "testdata/codex-0.169.0-sluice.jsonl")), `"source":"vscode"`, `"source":{"subagent":"review"}`, 1),
			"01a229de-19ad-7fd3-a108-dc71fa0221db",
		},
		"OpenCode": {strings.Replace(string(load(t, "testdata/opencode-1.18.33-orchard.json")), `"directory":`, `"parentID":"p-1","directory":`, 1), "p-1/"},
	} {
		res := capture(t, []byte(c.data), Options{})
		if len(res.held()) == 0 || !strings.HasPrefix(res.Session.ID, c.session) {
			t.Errorf("%s: %d memories of session %q, want some of %q", name, len(res.held()), res.Session.ID, c.session)
		}
		for _, m := range res.held() {
			if m.Source.Session != res.Session.ID || m.Source.Agent == memory.Human {
				t.Errorf("%s: from %+v: %s", name, m.Source, m.Title)
			}
		}
		if len(res.Session.Requests) > 0 {
			t.Errorf("%s: requests %v", name, res.Session.Requests)
		}
	}
}

// TestSubagentReport: what a subagent hands back is the same memory in its own
// transcript and in that of its parent.
func TestSubagentReport(t *testing.T) {
	report := "The exporter drops a row when two writers share a batch, because the cursor is read before the lock is taken. " +
		"The scheduler must hold the lock for the whole batch; a retry alone does not help, since the row is already gone."
	parent := sessionOf(append([]string{"user", "Why does the exporter lose rows?"},
		called("Task", map[string]any{"prompt": "Look at the exporter"}, "done", false, map[string]any{"agentId": "a1", "totalDurationMs": 12, "content": []any{map[string]any{"type": "text", "text": report}}})...)...)
	own := strings.ReplaceAll(string(sessionOf("user", "Look at the exporter", "agent", "I will read the exporter.", "agent", report)), `"isSidechain":false`, `"isSidechain":true,"agentId":"a1"`)
	ids := func(data []byte) (out []memory.ID) {
		for _, c := range capture(t, data, Options{}).Candidates {
			out = append(out, c.Memory.ID)
		}
		return out
	}
	there, here := ids(parent), ids([]byte(own))
	if len(here) == 0 || !slices.Equal(there, here) {
		t.Errorf("in the parent %q, in its own transcript %q", there, here)
	}
}

// TestSubagentTag: what a subagent tags is kept, where its words stand in the transcript of
// the session alone.
func TestSubagentTag(t *testing.T) {
	const head = `{"type":"session.start","data":{"sessionId":"s","context":{"cwd":"/r"}},"id":"a","timestamp":"2026-11-03T09:00:00.000Z"}
{"type":"user.message","data":{"content":"Why is the import slow?"},"id":"b","timestamp":"2026-11-03T09:00:01.000Z"}
`
	const said = `{"type":"assistant.message","agentId":"s-1","data":{"content":"Each reading has an fsync.\n\n[MEMORY: rejected] A memory-mapped file, because power cuts tear its pages."},"id":"c","timestamp":"2026-11-03T09:00:02.000Z"}
`
	var got []string
	for _, c := range capture(t, []byte(head+said), Options{Agent: transcript.Copilot}).Candidates {
		if c.Memory.Type == memory.Rejected {
			got = append(got, c.Memory.Title)
		}
	}
	if len(got) != 1 || !strings.HasPrefix(got[0], "A memory-mapped file") {
		t.Errorf("got %q", got)
	}
}

func TestAdaptersOnBadInput(t *testing.T) {
	files := append(bundles(t), fixtures(t)...)
	for _, file := range files {
		data := load(t, file)
		for name, bad := range map[string][]byte{
			"invalid UTF-8": bytes.ReplaceAll(data, []byte("because"), []byte("beca\xffuse")),
			"no strings":    bytes.ReplaceAll(data, []byte(`":"`), []byte(`":7,"x":"`)),
			"no objects":    bytes.ReplaceAll(data, []byte(`":{`), []byte(`":[{`)),
			"CRLF":          bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n")),
			"NUL":           bytes.ReplaceAll(data, []byte("t"), []byte("\x00")),
			"halved":        data[len(data)/2:],
			"twice":         append(slices.Clone(data), data...),
		} {
			for _, agent := range []string{"", transcript.Codex, transcript.Copilot, transcript.Gemini, transcript.OpenCode} {
				res := capture(t, bad, Options{Agent: agent})
				if _, err := session.Parse(session.Format(res.Session)); err != nil {
					t.Errorf("%s, %s, as %q: %v", file, name, agent, err)
				}
			}
		}
	}
}

// endless gives a document of n messages without holding it.
type endless struct {
	head, body, tail string
	n                int
	pos              int64
}

func (e *endless) Seek(offset int64, _ int) (int64, error) {
	e.pos = offset
	return offset, nil
}

func (e *endless) Read(p []byte) (int, error) {
	at, end := e.pos, int64(len(e.head)+len(e.body)*e.n)
	var part string
	switch {
	case at < int64(len(e.head)):
		part = e.head[at:]
	case at < end:
		part = e.body[(at-int64(len(e.head)))%int64(len(e.body)):]
	case at < end+int64(len(e.tail)):
		part = e.tail[at-end:]
	default:
		return 0, io.EOF
	}
	n := copy(p, part)
	e.pos += int64(n)
	return n, nil
}

// BenchmarkAdapters reads 8 MB of each agent's fixture, over and over, with
// tool output of the size that real ones have.
func BenchmarkAdapters(b *testing.B) {
	for _, file := range []string{"codex-0.169.0-sluice.jsonl", "copilot-1.0.102-hivelog.jsonl", "gemini-0.61.0-inkstone.jsonl"} {
		data := load(b, "testdata/"+file)
		for _, mark := range []string{"Output:\\n", "Output: ", "<shellId:"} { // real sessions are mostly tool output
			data = bytes.ReplaceAll(data, []byte(mark), []byte(strings.Repeat("a line of output of a tool\\n", 2000)+mark))
		}
		data = bytes.Repeat(data, 8<<20/len(data)+1)
		b.Run(file, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Run(context.Background(), bytes.NewReader(data), Options{Now: now()}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	doc := &endless{
		head: `{"info":{"id":"ses_1","directory":"/x"},"messages":[{"info":{"role":"user"},"parts":[]}`,
		body: `, {"info":{"role":"assistant"},"parts":[{"type":"text","text":"Nothing of note."},{"type":"tool","tool":"bash","callID":"c","state":{"status":"completed","input":{"command":"ls"},"output":"` + strings.Repeat("a line of output\\n", 2000) + `"}}]}`,
		tail: "]}", n: 250,
	}
	b.Run("document", func(b *testing.B) {
		b.SetBytes(int64(len(doc.head) + len(doc.body)*doc.n))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Run(context.Background(), doc, Options{Now: now()}); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// FuzzAdapters feeds any bytes to each adapter, in one run and in two.
func FuzzAdapters(f *testing.F) {
	agents := []string{transcript.Codex, transcript.Copilot, transcript.Gemini, transcript.OpenCode, ""}
	for _, file := range fixtures(f) {
		var last []byte
		for line := range bytes.Lines(load(f, file)) {
			f.Add(append(last, line...), uint16(len(last)), uint8(4))
			last = bytes.Clone(line)
		}
	}
	for _, file := range bundles(f) {
		data := load(f, file)
		for cut := 1200; cut < 6000; cut += 600 {
			f.Add(data[:cut], uint16(cut/2), uint8(4))
		}
	}
	f.Add([]byte(`{"sessionId":"s","projectHash":"h"}`+"\n"+`{"id":"a","type":"user","content":"x"}`+"\n"+`{"$rewindTo":"a"}`), uint16(40), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, at uint16, which uint8) {
		agent := agents[int(which)%len(agents)]
		transcript.Identify(data)
		first := capture(t, data[:min(int(at), len(data))], Options{Agent: agent})
		previous, err := session.Parse(session.Format(first.Session))
		if err != nil {
			t.Fatalf("record cannot be read back: %v", err)
		}
		second := capture(t, data, Options{Agent: agent, Previous: previous, Earlier: first.Memories()})
		for _, m := range second.held() {
			if _, err := memory.Parse(m.Path(), memory.Format(m)); err != nil {
				t.Fatalf("memory cannot be read back: %v\n%s", err, memory.Format(m))
			}
		}
	})
}

// TestRevert: an OpenCode session that was taken back to an earlier message
// takes back what was captured after it.
func TestRevert(t *testing.T) {
	reverted := load(t, "testdata/opencode-by-hand.json")
	at := bytes.Index(reverted, []byte(`"revert"`))
	full := bytes.Replace(reverted, []byte(`"revert"`), []byte(`"was"`), 1)
	kept := newHoldings()
	first := capture(t, full, Options{})
	kept.apply(first)
	if at < 0 || !strings.Contains(strings.Join(kept.titles(), "\n"), "Cobol") {
		t.Fatalf("nothing to take back: %v", kept.titles())
	}
	kept.apply(capture(t, reverted, Options{Previous: first.Session, Earlier: first.Memories()}))
	if s := strings.Join(kept.titles(), "\n"); strings.Contains(s, "Cobol") || len(kept.titles()) < 3 {
		t.Errorf("after the revert:\n%s", s)
	}
}
