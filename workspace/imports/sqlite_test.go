package imports

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// makeDB returns a database that sql makes.
func makeDB(t *testing.T, sql string) string {
	t.Helper()
	if _, err := exec.LookPath(program); err != nil {
		t.Skip("sqlite3 is not installed")
	}
	name := filepath.Join(t.TempDir(), "-a store.db")
	c := exec.Command(program, "-init", os.DevNull, "-batch", filepath.ToSlash(name))
	c.Stdin = strings.NewReader(sql)
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%s: %v", out, err)
	}
	return name
}

func open(t *testing.T, name string) *sqliteDB {
	t.Helper()
	d, err := openSQLite(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// all returns the rows of a table as texts, in the order of columns.
func all(t *testing.T, d *sqliteDB, table string, columns ...string) (out [][]string) {
	t.Helper()
	err := d.Rows(t.Context(), table, func(r sqliteRow) error {
		var row []string
		for _, c := range columns {
			row = append(row, r.Text(c))
		}
		out = append(out, row)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestSQLiteRows(t *testing.T) {
	for _, encoding := range []string{"UTF-8", "UTF-16le", "UTF-16be"} {
		d := open(t, makeDB(t, "PRAGMA encoding = '"+encoding+"';"+`
CREATE TABLE Kinds ("the ""Id" INTEGER PRIMARY KEY, n INTEGER, x REAL, t TEXT, b BLOB, z);
INSERT INTO Kinds VALUES (1, 999999999999999999, 0.5, 'a "b"' || char(10) || 'c', x'00ff', NULL), (-3, -1, 1e300, 'ü 焼 😀', x'01', 'text');
ALTER TABLE Kinds ADD COLUMN State TEXT DEFAULT 'new';
CREATE TABLE pairs (a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
INSERT INTO pairs VALUES ('x', 'y');
CREATE TABLE empty (a);`))
		want := [][]string{
			{"-3", "-1", "ü 焼 😀", "", "text", "new"},
			{"1", "999999999999999999", "a \"b\"\nc", "", "", "new"},
		}
		if diff := cmp.Diff(want, all(t, d, "kinds", `the "id`, "n", "t", "b", "z", "state")); diff != "" {
			t.Error(diff)
		}
		var numbers []float64
		if err := d.Rows(t.Context(), "KINDS", func(r sqliteRow) error {
			x, ok := r.Number("x")
			if _, text := r.Number("t"); !ok || text {
				t.Error(r)
			}
			numbers = append(numbers, x)
			return nil
		}); err != nil {
			t.Error(err)
		}
		if diff := cmp.Diff([]float64{1e300, 0.5}, numbers); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([][]string{{"x", "y"}}, all(t, d, "pairs", "a", "b")); diff != "" {
			t.Error(diff)
		}
		if rows := all(t, d, "empty", "a"); len(rows) != 0 {
			t.Error(rows)
		}
	}
}

// TestSQLiteTables: what runs code is no table.
func TestSQLiteTables(t *testing.T) {
	d := open(t, makeDB(t, `
CREATE TABLE plain (id INTEGER, Note TEXT, twice TEXT GENERATED ALWAYS AS (Note || Note) VIRTUAL);
CREATE VIEW seen AS SELECT * FROM plain;
create virtual table words USING fts5(text);`))
	for _, table := range []string{"seen", "words", "none"} {
		if err := d.Rows(t.Context(), table, nil); !errors.Is(err, errNoTable) || d.Has(table) {
			t.Errorf("%s: %v", table, err)
		}
	}
	if !d.Has("PLAIN", "id", "note") || d.Has("plain", "other") || d.Has("plain", "twice") {
		t.Error("Has is wrong")
	}
}

// TestSQLiteStops: an error of a reader of rows ends the program.
func TestSQLiteStops(t *testing.T) {
	d := open(t, makeDB(t, `CREATE TABLE n (i);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) INSERT INTO n SELECT i FROM n;`))
	enough := errors.New("enough")
	n := 0
	err := d.Rows(t.Context(), "n", func(r sqliteRow) error {
		if n++; r.Text("i") != fmt.Sprint(n) {
			t.Fatal(r)
		}
		if n == 3 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || n != 3 {
		t.Errorf("%d rows: %v", n, err)
	}
}

// TestSQLiteRefuses: what cannot be read is an error that says why.
func TestSQLiteRefuses(t *testing.T) {
	write := func(name, data string) string {
		if err := os.WriteFile(name, []byte(data), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	dir := t.TempDir()
	good := makeDB(t, "CREATE TABLE t (t); INSERT INTO t VALUES (1);")
	data, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	journal := "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + "\x00\x00\x00\x00" + "\x00\x00\x00\x00" + "\x00\x00\x00\x02" +
		"\x00\x00\x02\x00" + "\x00\x00\x10\x00"
	write(filepath.Join(dir, "hot.db-journal"), journal+strings.Repeat("\x00", 512))
	for name, want := range map[string]error{
		write(filepath.Join(dir, "encrypted.db"),
			strings.Repeat("\x93\x11\xfe\x02", 3000)): errNotDatabase,
		write(filepath.Join(dir, "header.db"),
			magic+"and nothing that a database has, for 100 bytes"): errNotDatabase,
		write(filepath.Join(dir, "torn.db"), string(data[:4096])+strings.Repeat("\x00", len(data)-4096)): errCorrupt,
		write(filepath.Join(dir, "hot.db"), string(data)):                                                errBusy,
		write(filepath.Join(dir, "empty.db"), ""):                                                        errEmptyFile,
		filepath.Join(dir, "none.db"):                                                                    os.ErrNotExist,
	} {
		d, err := openSQLite(t.Context(), name)
		if err == nil {
			err = d.Rows(t.Context(), "t", func(sqliteRow) error { return nil })
		}
		if !errors.Is(err, want) {
			t.Errorf("%s: %v", filepath.Base(name), err)
		}
	}
	t.Setenv("PATH", dir)
	if _, err := openSQLite(t.Context(), good); !errors.Is(err, ErrNoSQLite) {
		t.Error(err)
	}
}
