package words

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestTable(t *testing.T) {
	const table = "# remark\none\ta b\n\ntwo\none\tc\n"
	var rows [][]string
	for row := range Rows(table, 2) {
		rows = append(rows, row)
	}
	if diff := cmp.Diff([][]string{{"one", "a b"}, {"two", ""}, {"one", "c"}}, rows); diff != "" {
		t.Errorf("rows (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string][]string{"one": {"a", "b", "c"}, "two": nil}, Classes(table)); diff != "" {
		t.Errorf("classes (-want +got):\n%s", diff)
	}
}
