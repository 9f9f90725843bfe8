package imports

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// ErrNoSQLite is a machine without the program sqlite3, which databases are read with.
var ErrNoSQLite = errors.New("the program sqlite3 is not installed")

// What may be wrong with a database.
var (
	errNotDatabase = errors.New("not an SQLite database, or an encrypted one: export it unencrypted with the" +
		" program that wrote it")
	errEmptyFile = errors.New("the file is empty")
	errBusy      = errors.New("a transaction in it has not ended: close the program that writes it, open the" +
		" database once with it, and try again")
	errCorrupt = errors.New("the database is damaged: write a copy of what can be read with sqlite3 FILE .recover |" +
		" sqlite3 COPY, and import that")
	errNoTable = errors.New("no such table")
)

// program is the name of the program that reads databases, on PATH.
const program = "sqlite3"

// magic is how a database begins that is not encrypted.
const magic = "SQLite format 3\x00"

// sqliteDB reads the tables of an SQLite database with the program sqlite3. It holds nothing
// open. The database is opened for reading only, the rows of one call are those of one state
// of it, and no file makes the program run what it holds: only ordinary tables are read, by
// the columns that they store.
type sqliteDB struct {
	name   string                   // the absolute path
	tables map[string][]tableColumn // by the name in lower case
}

// tableColumn is a column that a table stores.
type tableColumn struct{ table, name string }

// openSQLite finds out which tables the database in a file of that name has.
func openSQLite(ctx context.Context, name string) (*sqliteDB, error) {
	d := &sqliteDB{tables: map[string][]tableColumn{}}
	err := checkMagic(name)
	if err == nil {
		d.name, err = filepath.Abs(name)
	}
	if err == nil {
		err = d.readSchema(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return d, nil
}

// checkMagic looks at how a file begins, so that what is no database is said to be none
// where sqlite3 is missing too.
func checkMagic(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	head := make([]byte, len(magic))
	n, err := io.ReadFull(f, head)
	switch {
	case n == 0 && errors.Is(err, io.EOF):
		return errEmptyFile
	case string(head) != magic:
		return errNotDatabase
	}
	return nil
}

// readSchema lists the columns of ordinary tables: views and virtual tables run code.
func (d *sqliteDB) readSchema(ctx context.Context) error {
	const sql = `SELECT m.name AS "table", c.name AS "column" ` +
		`FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c WHERE m.type = 'table' AND m.rootpage > 0`
	return d.query(ctx, sql, func(r sqliteRow) error {
		c := tableColumn{r.Text("table"), r.Text("column")}
		key := strings.ToLower(c.table)
		d.tables[key] = append(d.tables[key], c)
		return nil
	})
}

// Has reports whether there is a table that has all of the columns.
func (d *sqliteDB) Has(table string, columns ...string) bool {
	have := d.tables[strings.ToLower(table)]
	lacks := func(name string) bool {
		return !slices.ContainsFunc(have, func(c tableColumn) bool { return strings.ToLower(c.name) == name })
	}
	return len(have) > 0 && !slices.ContainsFunc(columns, lacks)
}

// sqliteRow is one row of a table: its values by the names of their columns, in lower case.
type sqliteRow map[string]any

// Text returns a value as text; "" for NULL and for bytes.
func (r sqliteRow) Text(column string) string {
	switch v := r[column].(type) {
	case string:
		return v
	case json.Number:
		return v.String()
	}
	return ""
}

// Number returns a value as a number; ok is false where it is none.
func (r sqliteRow) Number(column string) (x float64, ok bool) {
	v, ok := r[column].(json.Number)
	if !ok {
		return 0, false
	}
	x, err := strconv.ParseFloat(v.String(), 64)
	return x, err == nil
}

// Rows calls yield for each row of a table, in the order of the database, until it returns an error.
func (d *sqliteDB) Rows(ctx context.Context, name string, yield func(sqliteRow) error) error {
	columns := d.tables[strings.ToLower(name)]
	if len(columns) == 0 {
		return fmt.Errorf("%w: %s", errNoTable, name)
	}
	values := make([]string, len(columns))
	for i, c := range columns {
		values[i] = fmt.Sprintf("CASE typeof(%[1]s) WHEN 'blob' THEN NULL ELSE %[1]s END AS %[2]s", quote(c.name),
			quote(strings.ToLower(c.name)))
	}
	sql := "SELECT " + strings.Join(values, ", ") + " FROM " + quote(columns[0].table)
	if err := d.query(ctx, sql, yield); err != nil {
		return fmt.Errorf("table %s: %w", name, err)
	}
	return nil
}

// quote makes an SQL identifier of a name.
func quote(name string) string { return `"` + strings.ReplaceAll(name, `"`, `""`) + `"` }

// query runs sqlite3, and calls yield for each row until it returns an error. Settings of
// the user (~/.sqliterc) are not read.
func (d *sqliteDB) query(ctx context.Context, sql string, yield func(sqliteRow) error) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	c := exec.CommandContext(ctx, program, "-init", os.DevNull, "-batch", "-readonly", "-json", d.name,
		"PRAGMA trusted_schema = OFF; "+sql)
	var said bytes.Buffer
	c.Stderr = &said
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if errors.Is(err, exec.ErrNotFound) {
		return ErrNoSQLite
	} else if err != nil {
		return fmt.Errorf("starting sqlite3: %w", err)
	}
	stopped, wrong := decode(out, yield)
	if stopped {
		stop()
		_ = c.Wait() // it was killed
		return wrong
	}
	if err := c.Wait(); err != nil {
		return errors.Join(ctx.Err(), explain(said.String(), err))
	}
	return wrong
}

// decode reads a JSON list of objects. It reports whether the error is one of yield; any other is
// about the list.
func decode(out io.Reader, yield func(sqliteRow) error) (stopped bool, err error) {
	list := json.NewDecoder(out)
	list.UseNumber()
	if _, err := list.Token(); errors.Is(err, io.EOF) { // no row, no list
		return false, nil
	} else if err != nil {
		return false, fmt.Errorf("reading what sqlite3 prints: %w", err)
	}
	for list.More() {
		var r sqliteRow
		if err := list.Decode(&r); err != nil {
			_, _ = io.Copy(io.Discard, out) // let it end
			return false, fmt.Errorf("reading what sqlite3 prints: %w", err)
		}
		if err := yield(r); err != nil {
			return true, err
		}
	}
	return false, nil
}

// explain makes an error of what sqlite3 said before it failed.
func explain(said string, err error) error {
	for _, known := range []struct {
		text string
		err  error
	}{
		{"file is not a database", errNotDatabase},
		{"malformed", errCorrupt},
		{"readonly database", errBusy}, // a journal that it may not roll back
		{"is locked", errBusy},
	} {
		if strings.Contains(said, known.text) {
			return known.err
		}
	}
	first, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	if strings.Contains(said, "unknown option") {
		return fmt.Errorf("running sqlite3: it is older than 3.33: %s", first)
	}
	return fmt.Errorf("running sqlite3: %w: %s", err, first)
}
