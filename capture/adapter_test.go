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

func TestIdentify(t *testing.T) {
	for _, c := range []struct {
		file string
		want Identity
	}{
		{"planning.jsonl", Identity{Agent: ClaudeCode, Session: "5a1e0f00-1111-4222-8333-444455556666", Cwd: "/home/mira/tidewatch", Branch: "feature/alerts", Model: "claude-opus-4-6"}},
		{"codex-sluice.jsonl", Identity{Agent: Codex, Session: "019e1000-aaaa-7bbb-8ccc-000000000001", Cwd: "/home/ines/sluice", Branch: "lock-queue", Head: "3f1c2a9be07745d1a6f0c8b2d4e6f8a0b1c2d3e4", Model: "gpt-5.5"}},
		{"copilot-hivelog.jsonl", Identity{Agent: Copilot, Session: "7c0ffee0-1234-4abc-9def-0123456789ab", Cwd: "/home/tomas/hivelog", Branch: "scale-drift", Head: "9a8b7c6d5e4f30211203f4e5d6c7b8a990817263", Model: "claude-sonnet-4.5"}},
		{"gemini-inkstone.jsonl", Identity{Agent: Gemini, Session: "4a5b6c7d-0000-4111-8222-333344445555", Cwd: "/home/yara/inkstone", Model: "gemini-3-pro"}},
		{"gemini-rota.json", Identity{Agent: Gemini, Session: "0d1e2f30-aaaa-4bbb-8ccc-dddd00001111"}},
		{"opencode-orchard.json", Identity{Agent: OpenCode, Session: "ses_7a1b2c3d", Cwd: "/home/nils/orchard"}},
	} {
		data := load(t, "testdata/"+c.file)
		if d := cmp.Diff(c.want, Identify(data)); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.file, d)
		}
		short := Identify(data[:400]) // cut in the middle of a line
		if short.Agent != c.want.Agent {
			t.Errorf("%s: 400 bytes are of %q, want %q", c.file, short.Agent, c.want.Agent)
		}
	}
	for head, want := range map[string]Identity{
		`{"type":"session_meta","payload":{"id":"s","source":{"subagent":{"thread_spawn":{"depth":1}}}}}`:                                    {Agent: Codex, Session: "s", Subagent: true},
		`{"sessionId":"s","projectHash":"h","kind":"subagent"}`:                                                                              {Agent: Gemini, Session: "s", Subagent: true},
		`{"info":{"id":"ses_1","parentID":"ses_0","directory":"/x"},"messages":[]}`:                                                          {Agent: OpenCode, Session: "ses_1", Cwd: "/x", Subagent: true},
		`{"type":"user","isSidechain":true,"agentId":"a","parentUuid":null,"userType":"external","sessionId":"s","message":{"content":"x"}}`: {Agent: ClaudeCode, Session: "s", Subagent: true},
	} {
		if d := cmp.Diff(want, Identify([]byte(head))); d != "" {
			t.Errorf("%s (-want +got):\n%s", head, d)
		}
	}
}

func TestDetectOther(t *testing.T) {
	for head, want := range map[string]string{
		`{"type":"event_msg","payload":{"type":"user_message"}}`:                         Codex,
		`{"type":"session.start","data":{"sessionId":"x"}}`:                              Copilot,
		`{"sessionId":"x","projectHash":"y","messages":[]}` + "\n" + `{"id":"a"}`:        Gemini,
		"{\n  \"sessionId\": \"x\",\n  \"projectHash\": \"y\",\n  \"messages\": [":       Gemini,
		"\xef\xbb\xbf{\"info\":{\"id\":\"ses_1\",\"directory\":\"/x\"},\"messages\":[]}": OpenCode,
		`{"info":{"version":"1.0","title":"An API"},"paths":{}}`:                         "",
		`{"type":"event_msg"}`:                         "",
		`{"data":{"a":1},"type":"user.created"}`:       "",
		`{"messages":[{"role":"user","content":"x"}]}`: "",
	} {
		if got := Detect([]byte(head)); got != want {
			t.Errorf("Detect(%q) = %q, want %q", head, got, want)
		}
	}
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
		"codex-sluice.jsonl":    {"Elm", "rg over grep", "outside the workspace", "pumps", "IDE setup"},
		"copilot-hivelog.jsonl": {"Perl", "strings because", "secret-plan", "clock", "secrets"},
		"gemini-inkstone.jsonl": {"Gulp", "cache feeds", "search engines want", "safer"},
		"gemini-rota.json":      {"XML", "holidays", "to update"},
		"opencode-orchard.json": {"Cobol", "farmers think", "at night", "Plan mode", "never local"},
	} {
		out := string(FormatSession(capture(t, load(t, "testdata/"+pattern), Options{}).Session))
		for _, m := range capture(t, load(t, "testdata/"+pattern), Options{}).Memories() {
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
		whole := keptIDs{}
		want := capture(t, data, Options{})
		whole.apply(want)
		resumed := 0
		for cut := 0; cut <= len(data); cut += 149 {
			got := keptIDs{}
			first := capture(t, data[:cut], Options{})
			got.apply(first)
			previous, err := ParseSession(FormatSession(first.Session))
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
			if d := cmp.Diff(string(FormatSession(&a)), string(FormatSession(&b))); d != "" && first.Session.Agent != "" {
				t.Fatalf("%s cut at %d: record differs (-one run +two runs):\n%s", file, cut, d)
			}
		}
		if resumed == 0 {
			t.Errorf("%s: never resumed", file)
		}
	}
}

// TestBundleLayout: how a document is laid out does not matter, and a place in
// its lines can be read again.
func TestBundleLayout(t *testing.T) {
	for _, file := range bundles(t) {
		data := load(t, file)
		lines, err := io.ReadAll(newBundle(bytes.NewReader(data), Detect(data)))
		if err != nil {
			t.Fatal(err)
		}
		tight := tighten(data)
		again, err := io.ReadAll(newBundle(bytes.NewReader(tight), Detect(data)))
		if err != nil || !bytes.Equal(lines, again) {
			t.Errorf("%s: the lines differ without white space (%v)", file, err)
		}
		b := newBundle(bytes.NewReader(data), Detect(data))
		for _, at := range []int64{0, 17, int64(len(lines)) - 3, int64(len(lines)) - hashSpan, 900, int64(len(lines)) + 5} {
			if _, err := b.Seek(at, io.SeekStart); err != nil {
				t.Fatal(err)
			}
			rest, err := io.ReadAll(b)
			if err != nil || !bytes.Equal(rest, lines[min(max(at, 0), int64(len(lines))):]) {
				t.Errorf("%s: reading from %d gives other lines (%v)", file, at, err)
			}
		}
	}
}

// TestBundleLimit: a value over the limit is stepped over, not held.
func TestBundleLimit(t *testing.T) {
	b := newBundle(strings.NewReader(`["`+strings.Repeat("x", 1<<20)+`"] , {"a" : "b \" c" }`), "")
	if err := b.restart(); err != nil {
		t.Fatal(err)
	}
	big, whole, err := b.value(nil, 100)
	if err != nil || whole || len(big) > 100 {
		t.Errorf("over the limit: %d bytes, whole %v, %v", len(big), whole, err)
	}
	_, _ = b.peek()
	b.discard(1) // the comma
	if next, whole, err := b.value(nil, 100); string(next) != `{"a":"b \" c"}` || !whole || err != nil {
		t.Errorf("the value after it: %q, whole %v, %v", next, whole, err)
	}
}

// tighten removes white space between the tokens of a document.
func tighten(data []byte) []byte {
	b := newBundle(bytes.NewReader(data), "")
	_ = b.restart()
	out, _, _ := b.value(nil, len(data))
	return out
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

	kept := keptIDs{}
	first := capture(t, []byte(before), Options{Inode: 1})
	kept.apply(first)
	if s := strings.Join(kept.titles(), "\n"); !strings.Contains(s, "Postgres") || !strings.Contains(s, "Fridays") {
		t.Fatalf("first run found:\n%s", s)
	}
	second := capture(t, []byte(before+rewind+after), Options{Inode: 1, Previous: first.Session, Earlier: first.Memories()})
	kept.apply(second)
	whole := keptIDs{}
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

func TestSubagentIsNotEvidence(t *testing.T) {
	data := bytes.Replace(load(t, "testdata/codex-sluice.jsonl"), []byte(`"source":"cli"`), []byte(`"source":{"subagent":{"depth":1}}`), 1)
	res := capture(t, data, Options{})
	if len(res.Candidates) > 0 || res.Session.Agent != Codex || res.Session.ID == "" {
		t.Errorf("%d candidates from a subagent of %q %q", len(res.Candidates), res.Session.Agent, res.Session.ID)
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
			for _, agent := range []string{"", Codex, Copilot, Gemini, OpenCode} {
				res := capture(t, bad, Options{Agent: agent})
				if _, err := ParseSession(FormatSession(res.Session)); err != nil {
					t.Errorf("%s, %s, as %q: %v", file, name, agent, err)
				}
			}
		}
	}
}

func TestSaid(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain",
		"# AGENTS.md instructions for /x\n\n<INSTRUCTIONS>\nalways\n</INSTRUCTIONS>":         "",
		"# AGENTS.md instructions for /x\nunclosed":                                          "",
		"# AGENTS.md instructions for /x\n<INSTRUCTIONS>\na\n</INSTRUCTIONS>\n\nthen do":     "then do",
		"<environment_context>\n<cwd>/x</cwd>\n</environment_context>":                       "",
		"<environment_context>\n<cwd>/x":                                                     "",
		"<user_instructions>\nnever\n</user_instructions>\n\ngo on":                          "go on",
		"# Context from my IDE setup:\n\n## Open tabs:\n- a\n\n## My request for Codex:\ndo": "do",
		BriefingOpen + "\nwe decided\n" + BriefingClose + "\nmine":                           "mine",
		"why\n--- Content from referenced files ---\nconst x":                                "why",
		"/usr/bin is full": "/usr/bin is full",
	} {
		if got, _ := said(in); got != want {
			t.Errorf("said(%q) = %q, want %q", in, got, want)
		}
	}
	if words, command := said("/review the diff"); words != "the diff" || command != "review" {
		t.Errorf("a slash command gave %q %q", words, command)
	}
}

func TestPatchFiles(t *testing.T) {
	got := patchFiles("*** Begin Patch\n*** Add File: a.md\n+one\n+two\n*** Update File: b.go\n*** Move to: c.go\n@@\n-x\n+y\n*** Delete File: d\n*** End Patch\n")
	want := []patched{{"a.md", true, "one\ntwo\n"}, {"c.go", false, "y\n"}, {"d", false, ""}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(patched{})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
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
	for _, file := range []string{"codex-sluice.jsonl", "copilot-hivelog.jsonl", "gemini-inkstone.jsonl"} {
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
	agents := []string{Codex, Copilot, Gemini, OpenCode, ""}
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
		lines, _ := io.ReadAll(newBundle(bytes.NewReader(data), Detect(data)))
		for line := range bytes.Lines(lines) {
			f.Add(line, uint16(9), uint8(3))
		}
	}
	f.Add([]byte(`{"sessionId":"s","projectHash":"h"}`+"\n"+`{"id":"a","type":"user","content":"x"}`+"\n"+`{"$rewindTo":"a"}`), uint16(40), uint8(2))
	f.Fuzz(func(t *testing.T, data []byte, at uint16, which uint8) {
		agent := agents[int(which)%len(agents)]
		Identify(data)
		first := capture(t, data[:min(int(at), len(data))], Options{Agent: agent})
		previous, err := ParseSession(FormatSession(first.Session))
		if err != nil {
			t.Fatalf("record cannot be read back: %v", err)
		}
		second := capture(t, data, Options{Agent: agent, Previous: previous, Earlier: first.Memories()})
		for _, m := range second.Memories() {
			if _, err := memory.Parse(m.Path(), memory.Format(m)); err != nil {
				t.Fatalf("memory cannot be read back: %v\n%s", err, memory.Format(m))
			}
		}
	})
}

// TestRevert: an OpenCode session that was taken back to an earlier message
// takes back what was captured after it.
func TestRevert(t *testing.T) {
	reverted := load(t, "testdata/opencode-orchard.json")
	at := bytes.Index(reverted, []byte(`"revert"`))
	full := bytes.Replace(reverted, []byte(`"revert"`), []byte(`"was"`), 1)
	kept := keptIDs{}
	first := capture(t, full, Options{})
	kept.apply(first)
	if at < 0 || !strings.Contains(strings.Join(kept.titles(), "\n"), "Cobol") {
		t.Fatalf("nothing to take back: %v", kept.titles())
	}
	kept.apply(capture(t, reverted, Options{Previous: first.Session, Earlier: first.Memories()}))
	if s := strings.Join(kept.titles(), "\n"); strings.Contains(s, "Cobol") || len(kept) < 5 {
		t.Errorf("after the revert:\n%s", s)
	}
}
