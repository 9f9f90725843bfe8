package threads

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/git-cortex/cortex/internal/words"
	"github.com/git-cortex/cortex/memory"
)

// label names the memory that a person takes out of a thread.
type label struct{ form, thread, is, origin, why string }

func labels(t *testing.T, set string) map[string]label {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", set, "labels.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]label{}
	for row := range words.Rows(string(data), 5) {
		out[row[1]] = label{row[0], row[1], row[2], row[3], row[4]}
	}
	return out
}

func talkOf(t *testing.T, set, form string) *Talk {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", set, form+".json"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	talk, err := Read(f)
	if err != nil {
		t.Fatal(err)
	}
	return talk
}

// score counts verdicts against labels.
type score struct{ right, wrong, missed, typed int }

func (s *score) precision() float64 { return float64(s.right) / float64(max(s.right+s.wrong, 1)) }
func (s *score) recall() float64    { return float64(s.right) / float64(max(s.right+s.missed, 1)) }

// count judges the threads of a set.
func count(t *testing.T, set string) (s score) {
	t.Helper()
	known := labels(t, set)
	for _, form := range []string{"rest", "graphql", "gitlab"} {
		talk := talkOf(t, set, form)
		for i := range talk.Threads {
			th := &talk.Threads[i]
			s.add(t, th, known[keyOf(t, set, form, th)])
		}
	}
	return s
}

// keyOf names a thread as the labels do: by its address, or in GitLab by its discussion.
func keyOf(t *testing.T, set, form string, th *Thread) string {
	if form != "gitlab" {
		return th.Comments[0].URL
	}
	_, note, _ := strings.Cut(th.Comments[0].URL, "#note_")
	return discussionOf(t, set, note)
}

func (s *score) add(t *testing.T, th *Thread, l label) {
	v := th.Judge(false)
	is := string(v.Type)
	if is == "" {
		is = "-"
	}
	switch {
	case l.thread == "":
		t.Errorf("%s has no label", th.Comments[0].URL)
	case is == "-" && l.is == "-":
		return
	case is == "-":
		s.missed++
	case l.is == "-":
		s.wrong++
	default:
		s.right++
		if is == l.is {
			s.typed++
		}
	}
	if is != l.is {
		t.Logf("%s is %s, said %s (%s): %q", l.form, l.is, is, v.Why, th.Comments[0].Body)
	}
	if v.Type == memory.Rejected && !strings.HasPrefix(v.Title, "Turned down: ") {
		t.Errorf("a rejection is called %q", v.Title)
	}
}

// discussionOf is the id of the discussion that begins with a note.
func discussionOf(t *testing.T, set, note string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", set, "gitlab.json"))
	if err != nil {
		t.Fatal(err)
	}
	before, _, _ := strings.Cut(string(data), `"id": `+note)
	_, id, _ := strings.Cut(before[strings.LastIndex(before, `"notes"`)-80:], `"id": "`)
	id, _, _ = strings.Cut(id, `"`)
	return id
}

// TestJudge holds what was reached on the threads that the signs were made by.
func TestJudge(t *testing.T) {
	s := count(t, "read")
	t.Logf("right %d, wrong %d, missed %d, of the right type %d: precision %.2f, recall %.2f", s.right, s.wrong,
		s.missed, s.typed, s.precision(), s.recall())
	if s.precision() < 0.80 || s.recall() < 0.60 {
		t.Error("the aim is .80 and .60")
	}
}

// TestJudgeHeld judges the threads that nothing was mended for, after all was written.
func TestJudgeHeld(t *testing.T) {
	s := count(t, "held")
	t.Logf("right %d, wrong %d, missed %d, of the right type %d: precision %.2f, recall %.2f", s.right, s.wrong,
		s.missed, s.typed, s.precision(), s.recall())
	if s.precision() < 0.80 || s.recall() < 0.60 {
		t.Error("the aim is .80 and .60")
	}
}
