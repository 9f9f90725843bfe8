package sqlite

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func open(t testing.TB, name string) *DB {
	t.Helper()
	d, err := Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// all are the rows of a table, each as its id and its values in the order of columns.
func all(t testing.TB, d *DB, table string, columns ...string) (out [][]any) {
	t.Helper()
	err := d.Rows(table, func(r Row) (bool, error) {
		row := []any{r.ID}
		for _, c := range columns {
			row = append(row, r.values[c])
		}
		out = append(out, row)
		return true, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestKinds(t *testing.T) {
	d := open(t, "testdata/shapes.db")
	got := all(t, d, "KINDS", "the id", "n", "x", "t", "b", "z", `odd ""name`)
	want := [][]any{
		{int64(-3), int64(-3), int64(-1), 1e300, "ü 焼 😀", []byte{1}, "text", "p"},
		{int64(1), int64(1), int64(0), 0.5, "a", []byte{0, 255}, nil, "o"},
		{int64(2), int64(2), int64(1), -2.25, "", []byte{}, int64(7), nil},
	}
	if diff := cmp.Diff(want, got[:3]); diff != "" {
		t.Error(diff)
	}
	var numbers []int64
	for _, row := range got[3:] {
		numbers = append(numbers, row[2].(int64))
	}
	if diff := cmp.Diff([]int64{
		127, -128, 128, 32767, -32768, 8388607, -8388608, 2147483647, -2147483648, 140737488355327, -140737488355328, 999999999999999, -999999999999999999,
	}, numbers); diff != "" {
		t.Error(diff)
	}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
}

func TestTrees(t *testing.T) {
	d := open(t, "testdata/shapes.db")
	got := all(t, d, "many", "text")
	var want [][]any
	for i := 1; i <= 400; i++ {
		if i%5 != 0 {
			want = append(want, []any{int64(i), fmt.Sprintf("row %d %s", i, strings.Repeat("-", i%40))})
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	n := 0
	err := d.Rows("many", func(Row) (bool, error) { n++; return n < 3, nil })
	if err != nil || n != 3 {
		t.Error(n, err)
	}
}

// TestLong reads rows that go on on other pages, and are older than some columns.
func TestLong(t *testing.T) {
	var want [][]any
	for i, n := range []int{470, 480, 5000, 40000} {
		want = append(want, []any{int64(i + 1), strings.Repeat(string(rune('a'+i)), n), "new", int64(-7), 1.5})
	}
	if diff := cmp.Diff(want, all(t, open(t, "testdata/shapes.db"), "long", "t", "state", "n", "after")); diff != "" {
		t.Error(diff)
	}
}

func TestTables(t *testing.T) {
	d := open(t, "testdata/shapes.db")
	if diff := cmp.Diff([][]any{{int64(9), int64(9), "nine"}}, all(t, d, "plain", "id", "note")); diff != "" {
		t.Error(diff)
	}
	if rows := all(t, d, "empty", "a"); len(rows) != 0 {
		t.Error(rows)
	}
	for table, want := range map[string]error{"pairs": ErrUnsupported, "words": ErrUnsupported, "none": ErrNoTable, "seen": ErrNoTable} {
		if err := d.Rows(table, nil); !errors.Is(err, want) {
			t.Errorf("%s: %v", table, err)
		}
	}
	if !d.Has("plain", "id", "note") || d.Has("plain", "other") || d.Has("none") {
		t.Error("Has is wrong")
	}
}

// TestDeclarations: what a CREATE TABLE quotes is no sign, and the row's id is found by
// whatever way it was declared.
func TestDeclarations(t *testing.T) {
	for sql, want := range map[string]string{
		"id INTEGER NOT NULL, a, PRIMARY KEY (id)":                        "(id) a",
		"id INTEGER NOT NULL, CONSTRAINT pk PRIMARY KEY (id DESC)":        "(id)",
		"id INTEGER, PRIMARY KEY (ID) ON CONFLICT REPLACE":                "(id)",
		"id INTEGER CONSTRAINT pk PRIMARY KEY AUTOINCREMENT, a":           "(id) a",
		"id INTEGER(8) PRIMARY KEY, a":                                    "id a",
		"id BIGINT NOT NULL, PRIMARY KEY (id)":                            "id",
		"id INTEGER, b INTEGER, PRIMARY KEY (id, b)":                      "id b",
		"id INTEGER PRIMARY KEY DESC":                                     "id",
		"a TEXT DEFAULT ',' NOT NULL, b":                                  "a=, b",
		"a TEXT DEFAULT '(', b TEXT DEFAULT ')', c":                       "a=( b=) c",
		"a TEXT DEFAULT '-' NOT NULL, b DEFAULT -7":                       "a=- b=-7",
		"a BOOLEAN DEFAULT TRUE, b BOOLEAN DEFAULT false NOT NULL":        "a=1 b=0",
		"a, CONSTRAINT one UNIQUE (a), CHECK (a <> ')'), FOREIGN KEY (a)": "a",
		`"check" TEXT, "primary" TEXT, [as] TEXT`:                         "check primary as",
	} {
		var got []string
		for _, c := range parseTable(`CREATE TABLE "virtual" (` + sql + ")").columns {
			switch {
			case c.id:
				c.name = "(" + c.name + ")"
			case c.without != nil:
				c.name += "=" + fmt.Sprint(c.without)
			}
			got = append(got, c.name)
		}
		if diff := cmp.Diff(want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s: %s", sql, diff)
		}
	}
}

// TestTooMany: a row of more values than a table has columns is not read into memory.
func TestTooMany(t *testing.T) {
	head := []byte{0x84, 0x80, 0x00} // 65,536
	data := append(head, make([]byte, 65536-len(head))...)
	if values, err := new(DB).record(data); !errors.Is(err, ErrCorrupt) {
		t.Errorf("%d values: %v", len(values), err)
	}
	if table := parseTable("CREATE TABLE t (" + strings.Repeat("a,", maxColumns+1) + "b)"); table.why == "" {
		t.Errorf("%d columns", len(table.columns))
	}
}

func TestEncodings(t *testing.T) {
	for _, name := range []string{"utf16le", "utf16be"} {
		if diff := cmp.Diff([][]any{{int64(1), "ü 焼 😀"}, {int64(2), "plain"}}, all(t, open(t, "testdata/"+name+".db"), "t", "t")); diff != "" {
			t.Error(name, diff)
		}
	}
}

// TestLog reads what is in the log alone, and not what was never committed there.
func TestLog(t *testing.T) {
	want := [][]any{{int64(1), "changed in the log"}, {int64(2), "in the log"}}
	if diff := cmp.Diff(want, all(t, open(t, "testdata/wal.db"), "t", "t")); diff != "" {
		t.Error(diff)
	}
	data, log := read(t, "testdata/wal.db"), read(t, "testdata/wal.db-wal")
	for cut, want := range map[int][][]any{
		0:                    {{int64(1), "in the file"}},
		20:                   {{int64(1), "in the file"}},
		len(log) - 1:         {{int64(1), "in the file"}, {int64(2), "in the log"}},
		len(log) - 536 + 100: {{int64(1), "in the file"}, {int64(2), "in the log"}},
	} {
		name := filepath.Join(t.TempDir(), "cut.db")
		write(t, name, data)
		write(t, name+"-wal", log[:cut])
		if diff := cmp.Diff(want, all(t, open(t, name), "t", "t")); diff != "" {
			t.Errorf("%d bytes of the log: %s", cut, diff)
		}
	}
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func write(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// TestRefuses: what is encrypted, damaged or busy is an error that says so.
func TestRefuses(t *testing.T) {
	shapes := read(t, "testdata/shapes.db")
	zero := bytes.Clone(shapes)
	clear(zero[100:])
	for name, c := range map[string]struct {
		data []byte
		want error
	}{
		"empty":     {nil, ErrEmpty},
		"text":      {[]byte(strings.Repeat("no database at all\n", 99)), ErrNotDatabase},
		"encrypted": {bytes.Repeat([]byte{0x5a, 0xc3, 0x11, 0x97}, 2048), ErrNotDatabase},
		"zeroed":    {zero, ErrCorrupt},
		"cut":       {shapes[:700], ErrCorrupt},
	} {
		file := filepath.Join(t.TempDir(), "x.db")
		write(t, file, c.data)
		if _, err := Open(file); !errors.Is(err, c.want) || err != nil && !strings.Contains(err.Error(), file) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Where the schema is left, a table that is gone is no virtual one.
	file := filepath.Join(t.TempDir(), "half.db")
	write(t, file, read(t, "testdata/utf16le.db")[:4096])
	d := open(t, file)
	if err := d.Rows(d.names[0], func(Row) (bool, error) { return true, nil }); !errors.Is(err, ErrCorrupt) {
		t.Errorf("a table of a file that is cut: %v", err)
	}
	if _, err := Open("testdata/hot.db"); !errors.Is(err, ErrBusy) {
		t.Errorf("a transaction that did not end: %v", err)
	}
	if _, err := Open(filepath.Join(t.TempDir(), "none.db")); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// TestChanged: a database that is written to while it is read is noticed.
func TestChanged(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.db")
	data := read(t, "testdata/shapes.db")
	write(t, name, data)
	d := open(t, name)
	if err := d.Check(); err != nil {
		t.Fatal(err)
	}
	data[27]++ // the counter of changes
	write(t, name, data)
	if err := d.Check(); !errors.Is(err, ErrChanged) {
		t.Error(err)
	}
}

// FuzzOpen: any bytes are read to an end, within the bounds of the file.
func FuzzOpen(f *testing.F) {
	for _, name := range []string{"shapes", "utf16le", "wal", "hot"} {
		data := read(f, "testdata/"+name+".db")
		f.Add(data, []byte{})
		f.Add(data[:len(data)/2], []byte{})
	}
	f.Add(read(f, "testdata/wal.db"), read(f, "testdata/wal.db-wal"))
	f.Fuzz(func(t *testing.T, data, log []byte) {
		name := filepath.Join(t.TempDir(), "x.db")
		write(t, name, data)
		write(t, name+"-wal", log)
		d, err := Open(name)
		if err != nil {
			return
		}
		defer d.Close()
		for _, table := range d.names {
			rows := 0
			_ = d.Rows(table, func(r Row) (bool, error) {
				rows++
				for c := range r.values {
					_ = r.Text(c)
				}
				return rows < 1000, nil
			})
		}
	})
}
