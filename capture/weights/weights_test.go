package weights

import (
	"strings"
	"testing"
)

const small = `# a comment
sign	keep	lands
(at)	40	60
(always)	-100	-200
trap	200	150
status	-300	-300
`

func TestScore(t *testing.T) {
	table, err := Parse([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	if table.KeepAt != 0.4 || table.LandAt != 0.6 {
		t.Errorf("thresholds %v and %v", table.KeepAt, table.LandAt)
	}
	plain, trap := table.Score(nil), table.Score([]string{"trap", "a sign that the table does not have"})
	if plain.Keep > 0.27 || plain.Keep < 0.26 {
		t.Errorf("without signs: %+v", plain)
	}
	if trap.Keep < 0.73 || trap.Keep > 0.74 || trap.Lands >= trap.Keep {
		t.Errorf("with a sign: %+v", trap)
	}
	if v := table.Score([]string{"trap", "status"}); v.Keep >= plain.Keep {
		t.Errorf("a sign against it does not count: %+v", v)
	}
}

func TestFormat(t *testing.T) {
	table, err := Parse([]byte(small))
	if err != nil {
		t.Fatal(err)
	}
	again, err := Parse(table.Format())
	if err != nil {
		t.Fatal(err)
	}
	if a, b := string(table.Format()), string(again.Format()); a != b || !strings.Contains(a, "trap\t200\t150\n") {
		t.Errorf("%s\n%s", a, b)
	}
	made := New(map[string][]float64{Bias: {0.126, -1}}, 0.4, 0.5)
	if !strings.Contains(string(made.Format()), "(always)\t13\t-100\n") {
		t.Errorf("made:\n%s", made.Format())
	}
}

func TestParseErrors(t *testing.T) {
	for _, bad := range []string{
		"", "# nothing", "sign\tlands\tkeep\n", "sign\tkeep\n", "sign\tkeep\tlands\n",
		"sign\tkeep\tlands\n(at)\t40\t60\nx\t1\n",
		"sign\tkeep\tlands\n(at)\t40\t60\nx\t1\t2.5\n", "sign\tkeep\tlands\n(at)\t40\n",
		"sign\tkeep\tlands\n(at)\t40\t100\n",
	} {
		if _, err := Parse([]byte(bad)); err == nil {
			t.Errorf("%q was read", bad)
		}
	}
}

// TestBuiltin: the shipped table can be read, has its thresholds, and holds signs
// and no text.
func TestBuiltin(t *testing.T) {
	table := Builtin()
	if table.KeepAt <= 0 || table.KeepAt >= 1 || table.LandAt <= 0 || table.LandAt >= 1 || len(table.rows) < 50 {
		t.Fatalf("%d rows, thresholds %v and %v", len(table.rows), table.KeepAt, table.LandAt)
	}
	for name := range table.rows {
		if len(name) > 40 || strings.ContainsAny(name, "`/\"\n") {
			t.Errorf("%q is not the name of a sign", name)
		}
	}
}
