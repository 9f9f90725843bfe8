package query

import "testing"

// TestMeets: of one key one clause must hold, of each key one, and no negated one.
func TestMeets(t *testing.T) {
	a, b := Clause{Key: Tag, Value: "a"}, Clause{Key: Tag, Value: "b"}
	main := Clause{Key: Branch, Value: "main"}
	notMain, notB := main, b
	notMain.Not, notB.Not = true, true
	for _, x := range []struct {
		clauses []Clause
		want    bool
	}{
		{nil, true},
		{[]Clause{a}, true},
		{[]Clause{b}, false},
		{[]Clause{a, b}, true},
		{[]Clause{b, a}, true},
		{[]Clause{a, main}, true},
		{[]Clause{b, main}, false},
		{[]Clause{a, notB}, true},
		{[]Clause{a, notMain}, false},
		{[]Clause{notMain}, false},
	} {
		got := Meets(x.clauses, func(c Clause) bool { return c.Value == "a" || c.Value == "main" })
		if got != x.want {
			t.Errorf("%v: %v", x.clauses, got)
		}
	}
}
