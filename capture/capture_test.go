package capture

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/git-cortex/cortex/capture/session"
	"github.com/git-cortex/cortex/capture/transcript"
	"github.com/git-cortex/cortex/internal/testrun"
	"github.com/git-cortex/cortex/memory"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func now() time.Time { return time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC) }

func capture(t testing.TB, data []byte, opt Options) *Result {
	t.Helper()
	if opt.Now.IsZero() {
		opt.Now = now()
	}
	res, err := Run(context.Background(), bytes.NewReader(data), opt)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func fixtures(t testing.TB) []string {
	t.Helper()
	files, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(files) == 0 {
		t.Fatalf("no fixtures: %v", err)
	}
	return files
}

func load(t testing.TB, file string) []byte {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// TestGolden lists every candidate of every fixture, so that the effect of a
// rule shows in a diff. Run with -update to rewrite.
func TestGolden(t *testing.T) {
	for _, file := range fixtures(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			res := capture(t, load(t, file), Options{})
			golden(t, strings.TrimSuffix(file, ".jsonl")+".golden", describe(res))
		})
	}
}

// describe lists what a run found, for golden files.
func describe(res *Result) string {
	var b strings.Builder
	for _, c := range res.Candidates {
		fmt.Fprintf(&b, "line %d: %s %s %s %.2f [%s]", c.Record+1, c.Disposition, c.Memory.Type, c.Layer, c.Confidence, c.Cue)
		if c.Reason != "" {
			b.WriteString(" (" + c.Reason + ")")
		}
		fmt.Fprintf(&b, "\n  %s\n", c.Memory.Title)
		if !c.held() {
			continue
		}
		for line := range strings.SplitSeq(c.Memory.Text, "\n") {
			if line != "" {
				b.WriteString("    " + line + "\n")
			}
		}
		for _, l := range c.Memory.Links {
			fmt.Fprintf(&b, "    → %s %s\n", l.Rel, l.To)
		}
		for _, p := range c.Proposals {
			fmt.Fprintf(&b, "    → %s %s?\n", p.Rel, p.ID)
		}
		for _, list := range [][]string{c.Memory.Files, c.Memory.Entities} {
			if len(list) > 0 {
				fmt.Fprintf(&b, "    · %s\n", strings.Join(list, ", "))
			}
		}
	}
	b.WriteString("\n")
	b.Write(session.Format(res.Session))
	return b.String()
}

func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if d := cmp.Diff(string(load(t, file)), got); d != "" {
		t.Errorf("%s differs (-want +got); -update rewrites it:\n%s", file, d)
	}
}

// holdings follows what a session teaches over several runs as the caller would: memories
// are added and withdrawn, notes are those of its latest record.
type holdings struct {
	memories map[memory.ID]*memory.Memory
	notes    []*memory.Memory
}

func newHoldings() *holdings { return &holdings{memories: map[memory.ID]*memory.Memory{}} }

func (h *holdings) apply(res *Result) {
	for _, id := range res.Withdrawn {
		delete(h.memories, id)
	}
	for _, m := range res.Memories() {
		h.memories[m.ID] = m
	}
	h.notes = res.Session.Notes
}

// list are the memories.
func (h *holdings) list() []*memory.Memory { return slices.Collect(maps.Values(h.memories)) }

func (h *holdings) titles() []string {
	var out []string
	for _, m := range h.memories {
		out = append(out, string(m.ID)+" "+m.Title)
	}
	for _, m := range h.notes {
		out = append(out, string(m.ID)+" note: "+m.Title)
	}
	slices.Sort(out)
	return out
}

// TestResume cuts each fixture at many places and reads it in two runs: the
// memories must be those of a single run, and the record must not differ.
func TestResume(t *testing.T) {
	for _, file := range fixtures(t) {
		t.Run(filepath.Base(file), func(t *testing.T) {
			data := load(t, file)
			whole := newHoldings()
			want := capture(t, data, Options{})
			whole.apply(want)
			step := testrun.Rounds(997, 211)
			for cut := 0; cut <= len(data); cut += step {
				got := newHoldings()
				first := capture(t, data[:cut], Options{})
				got.apply(first)
				previous, err := session.Parse(session.Format(first.Session))
				if err != nil {
					t.Fatalf("cut at %d: %v", cut, err)
				}
				second := capture(t, data, Options{Previous: previous, Earlier: got.list()})
				got.apply(second)
				if d := cmp.Diff(whole.titles(), got.titles()); d != "" {
					t.Fatalf("cut at %d (-one run +two runs):\n%s", cut, d)
				}
				if cut > 5000 && !second.Resumed {
					t.Fatalf("cut at %d: not resumed", cut)
				}
				if first.Session.Agent == "" {
					continue
				}
				a, b := *want.Session, *second.Session
				a.Weak, b.Weak = nil, nil
				if d := cmp.Diff(string(session.Format(&a)), string(session.Format(&b))); d != "" {
					t.Fatalf("cut at %d: record differs (-one run +two runs):\n%s", cut, d)
				}
			}
		})
	}
}

// TestManyRuns reads a fixture line by line, as a hook after each would.
func TestManyRuns(t *testing.T) {
	for _, file := range fixtures(t) {
		data := load(t, file)
		whole, got := newHoldings(), newHoldings()
		whole.apply(capture(t, data, Options{}))
		var previous *session.Session
		for i, c := range data {
			if c != '\n' {
				continue
			}
			res := capture(t, data[:i+1], Options{Previous: previous, Earlier: got.list(), Inode: 7})
			got.apply(res)
			previous = res.Session
		}
		if d := cmp.Diff(whole.titles(), got.titles()); d != "" {
			t.Errorf("%s (-one run +many):\n%s", file, d)
		}
	}
}

func TestReplayAddsNothing(t *testing.T) {
	data := load(t, "testdata/planning.jsonl")
	first := capture(t, data, Options{Inode: 3})
	again := capture(t, data, Options{Inode: 3, Previous: first.Session, Earlier: first.Memories()})
	if !again.Resumed || len(again.Withdrawn) > 0 || again.Turns != 0 {
		t.Errorf("replay: resumed %v, withdrew %v, %d turns", again.Resumed, again.Withdrawn, again.Turns)
	}
	known := map[memory.ID]bool{}
	for _, m := range first.held() {
		known[m.ID] = true
	}
	for _, m := range again.held() {
		if !known[m.ID] {
			t.Errorf("replay added %s %q", m.ID, m.Title)
		}
	}
}

// TestRotation: a file that is not the one the cursor speaks of is read anew,
// and nothing captured before is taken back but the plan, if there is a new one.
func TestRotation(t *testing.T) {
	planning, review := load(t, "testdata/planning.jsonl"), load(t, "testdata/review.jsonl")
	first := capture(t, planning, Options{Inode: 3})
	for name, c := range map[string]struct {
		data  []byte
		inode uint64
	}{
		"other inode":   {planning, 4},
		"truncated":     {planning[:len(planning)/2], 3},
		"other content": {append(slices.Clone(review), review...), 3},
	} {
		res := capture(t, c.data, Options{Inode: c.inode, Previous: first.Session, Earlier: first.Memories()})
		if res.Resumed {
			t.Errorf("%s: resumed", name)
		}
		for _, id := range res.Withdrawn {
			if id != first.Session.PlanID || res.Replaced[id] == "" {
				t.Errorf("%s: withdrew %s", name, id)
			}
		}
	}
}

// TestPlanIsReplaced: the plan is one note, replaced as steps are done.
func TestPlanIsReplaced(t *testing.T) {
	data := load(t, "testdata/planning.jsonl")
	lines := bytes.SplitAfter(data, []byte("\n"))
	cut := 0
	for i, l := range lines {
		if bytes.Contains(l, []byte(`"status": "completed"`)) {
			cut = i
			break
		}
	}
	first := capture(t, bytes.Join(lines[:cut], nil), Options{})
	second := capture(t, data, Options{Previous: first.Session, Earlier: first.Memories()})
	old, fresh := first.Session.PlanID, second.Session.PlanID
	if old == "" || fresh == "" || old == fresh {
		t.Fatalf("plan ids %q and %q", old, fresh)
	}
	plans := slices.DeleteFunc(slices.Clone(second.Session.Notes), func(m *memory.Memory) bool { return m.Type != memory.Plan })
	if len(plans) != 1 || plans[0].ID != fresh {
		t.Errorf("notes of plans: %v, want one", titlesOf(plans))
	}
}

func TestLastMessage(t *testing.T) {
	data := load(t, "testdata/routine.jsonl")
	msg := "The build fails on Windows because `make` writes paths with a backslash into `version.go`."
	res := capture(t, data, Options{LastMessage: msg, Weights: table(t, "place handover")})
	found := false
	for _, m := range res.held() {
		found = found || strings.Contains(m.Title, "fails on Windows")
	}
	if !found {
		t.Error("the hook's last message was not used")
	}
	for _, msg := range []string{
		"It runs the linter on all packages.", "We chose podman over docker.\nIt runs the linter on all packages.",
	} {
		again := capture(t, data, Options{LastMessage: msg})
		if len(again.Candidates) != len(capture(t, data, Options{}).Candidates) {
			t.Errorf("a last message that the transcript holds was used twice: %q", msg)
		}
	}
}

func TestBadInput(t *testing.T) {
	planning := string(load(t, "testdata/planning.jsonl"))
	for name, data := range map[string]string{
		"empty":        "",
		"line breaks":  "\n\n\r\n",
		"not JSON":     "hello\nworld\n",
		"binary":       "\x00\xff\xfe\x01\n\x80\x81",
		"scalar lines": "1\n\"a\"\nnull\n[]\n{}\n",
		"deep":         strings.Repeat("[", 100000) + "\n" + `{"type":"user","message":` + strings.Repeat(`{"a":`, 10000) + "\n",
		"wrong types":  `{"type":"user","parentUuid":null,"isSidechain":false,"userType":"x","message":7}` + "\n" + `{"type":"assistant","isSidechain":false,"userType":"x","message":{"content":[1,null,{"type":"tool_use","input":"x","name":3}]}}` + "\n",
		"no cwd":       strings.ReplaceAll(planning, `"cwd"`, `"cwx"`),
		"no times":     strings.ReplaceAll(planning, `"timestamp"`, `"tx"`),
		"no sessions":  strings.ReplaceAll(planning, `"sessionId"`, `"sx"`),
		"invalid utf8": strings.ReplaceAll(planning, "harbour", "harb\xffur"),
	} {
		t.Run(name, func(t *testing.T) {
			res := capture(t, []byte(data), Options{})
			if _, err := session.Parse(session.Format(res.Session)); err != nil {
				t.Error(err)
			}
			for _, m := range res.held() {
				if _, err := memory.Parse(m.Path(), memory.Format(m)); err != nil {
					t.Errorf("memory %q cannot be read back: %v", m.Title, err)
				}
			}
		})
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Run(ctx, bytes.NewReader(load(t, "testdata/planning.jsonl")), Options{}); err == nil {
		t.Error("a cancelled run gave no error")
	}
}

// TestSecretsNeverLeave plants a token everywhere and looks for it in
// everything that comes out.
func TestSecretsNeverLeave(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3dE5gH7j", 4)[:36]
	data := strings.ReplaceAll(string(load(t, "testdata/planning.jsonl")), "harbour", "harbour "+token+" ")
	data = strings.ReplaceAll(data, "alert.go", token+".go")
	data = strings.ReplaceAll(data, "feature/alerts", "feature/"+token)
	data = strings.ReplaceAll(data, "go test ./internal/forecast/", "TOKEN="+token+" go test")
	res := capture(t, []byte(data), Options{})
	var all bytes.Buffer
	all.Write(session.Format(res.Session))
	for _, c := range res.Candidates {
		all.Write(memory.Format(c.Memory))
		fmt.Fprintln(&all, c.Span, c.Cue, c.Reason)
	}
	if i := bytes.Index(all.Bytes(), []byte(token[:20])); i >= 0 {
		t.Errorf("the token came out: …%s…", all.Bytes()[max(0, i-80):min(all.Len(), i+60)])
	}
	if !strings.Contains(all.String(), "[redacted: github]") {
		t.Error("no redaction mark in the output")
	}
}

// FuzzReader feeds any bytes as a transcript, in one run and in two.
func FuzzReader(f *testing.F) {
	for _, file := range fixtures(f) { // a line or two each: small seeds mutate fast
		var last []byte
		for line := range bytes.Lines(load(f, file)) {
			f.Add(append(last, line...), uint16(len(last)))
			last = bytes.Clone(line)
		}
	}
	f.Add([]byte("{}\n[]\nnull\n"), uint16(3))
	f.Fuzz(func(t *testing.T, data []byte, at uint16) {
		first := capture(t, data[:min(int(at), len(data))], Options{Agent: transcript.ClaudeCode})
		record := session.Format(first.Session)
		previous, err := session.Parse(record)
		if err != nil {
			t.Fatalf("record cannot be read back: %v\n%s", err, record)
		}
		second := capture(t, data, Options{Agent: transcript.ClaudeCode, Previous: previous, Earlier: first.Memories()})
		for _, m := range second.held() {
			if _, err := memory.Parse(m.Path(), memory.Format(m)); err != nil {
				t.Fatalf("memory cannot be read back: %v\n%s", err, memory.Format(m))
			}
		}
	})
}
