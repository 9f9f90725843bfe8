package weights

import (
	"strings"
	"testing"
)

const small = `# a comment
sign	keep	lands	learned	gotcha
(at)	40	60
(always)	-100	-200	0	-50
trap	200	150	0	120
status	-300	-300	10	0
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
	if plain.Keep > 0.27 || plain.Keep < 0.26 || plain.Type != "learned" {
		t.Errorf("without signs: %+v", plain)
	}
	if trap.Keep < 0.73 || trap.Keep > 0.74 || trap.Lands >= trap.Keep || trap.Type != "gotcha" {
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
	if a, b := string(table.Format()), string(again.Format()); a != b || !strings.Contains(a, "trap\t200\t150\t0\t120\n") {
		t.Errorf("%s\n%s", a, b)
	}
	made := New([]string{Keep, Lands, "learned"}, map[string][]float64{Bias: {0.126, -1, 0}}, 0.4, 0.5)
	if !strings.Contains(string(made.Format()), "(always)\t13\t-100\t0\n") {
		t.Errorf("made:\n%s", made.Format())
	}
}

func TestParseErrors(t *testing.T) {
	for _, bad := range []string{
		"", "# nothing", "sign\tlands\tkeep\tlearned\n", "sign\tkeep\tlands\n",
		"sign\tkeep\tlands\tlearned\nx\t1\t2\n", "sign\tkeep\tlands\tlearned\nx\t1\t2\t3.5\n", "sign\tkeep\tlands\tlearned\n(at)\t40\n",
		"sign\tkeep\tlands\tlearned\nx\t1\t2\t3\n",
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
