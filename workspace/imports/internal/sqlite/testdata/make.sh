#!/bin/sh
# make.sh makes the databases of this folder with the program sqlite3. They are committed:
# no test needs it.
set -eu
cd "$(dirname "$0")"
rm -f ./*.db ./*.db-wal ./*.db-journal

# shapes.db: small pages, so that trees have levels and rows go on on other pages.
sqlite3 shapes.db <<'SQL'
PRAGMA page_size = 512;
CREATE TABLE kinds ("the id" INTEGER PRIMARY KEY, n INTEGER, x REAL, t TEXT, b BLOB, z, [odd ""name] TEXT DEFAULT 'it''s', -- a note, (
	CHECK (n < 1000000000000000));
INSERT INTO kinds VALUES (1, 0, 0.5, 'a', x'00ff', NULL, 'o'), (2, 1, -2.25, '', x'', 7, NULL), (-3, -1, 1e300, 'ü 焼 😀', x'01', 'text', 'p');
INSERT INTO kinds (n) VALUES (127), (-128), (128), (32767), (-32768), (8388607), (-8388608), (2147483647), (-2147483648), (140737488355327), (-140737488355328), (999999999999999), (-999999999999999999);
CREATE TABLE many (id INTEGER PRIMARY KEY AUTOINCREMENT, text TEXT NOT NULL);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 400) INSERT INTO many (text) SELECT 'row ' || i || ' ' || substr('----------------------------------------', 1, i % 40) FROM n;
DELETE FROM many WHERE id % 5 = 0;
CREATE TABLE long (t TEXT);
INSERT INTO long VALUES (printf('%.*c', 470, 'a')), (printf('%.*c', 480, 'b')), (printf('%.*c', 5000, 'c')), (printf('%.*c', 40000, 'd'));
ALTER TABLE long ADD COLUMN state TEXT DEFAULT 'new';
ALTER TABLE long ADD COLUMN n INTEGER DEFAULT -7;
ALTER TABLE long ADD COLUMN v TEXT GENERATED ALWAYS AS (upper(t)) VIRTUAL;
ALTER TABLE long ADD COLUMN after REAL DEFAULT 1.5;
CREATE TABLE plain (id INTEGER, note TEXT, PRIMARY KEY (id));
INSERT INTO plain VALUES (9, 'nine');
CREATE TABLE pairs (a TEXT, b TEXT, PRIMARY KEY (a, b)) WITHOUT ROWID;
INSERT INTO pairs VALUES ('x', 'y');
CREATE VIRTUAL TABLE words USING fts5(text);
CREATE TABLE empty (a);
CREATE INDEX many_text ON many (text);
CREATE VIEW seen AS SELECT * FROM many;
SQL

for order in le be; do
	sqlite3 "utf16$order.db" "PRAGMA encoding = 'UTF-16$order'; CREATE TABLE t (t TEXT); INSERT INTO t VALUES ('ü 焼 😀'), ('plain');"
done

# wal.db: the last transaction is in the log alone, behind one that was overwritten.
sqlite3 wal.db >/dev/null <<'SQL'
PRAGMA page_size = 512;
PRAGMA journal_mode = WAL;
PRAGMA wal_autocheckpoint = 0;
CREATE TABLE t (t TEXT);
INSERT INTO t VALUES ('in the file');
PRAGMA wal_checkpoint(TRUNCATE);
INSERT INTO t VALUES ('in the log');
UPDATE t SET t = 'changed in the log' WHERE rowid = 1;
.shell cp wal.db copy.db && cp wal.db-wal copy.db-wal
SQL
rm -f wal.db wal.db-wal wal.db-shm
mv copy.db wal.db && mv copy.db-wal wal.db-wal

# hot.db: a transaction that was not finished.
sqlite3 hot.db <<'SQL'
PRAGMA page_size = 512;
PRAGMA cache_size = 1;
CREATE TABLE t (t TEXT);
WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40) INSERT INTO t SELECT printf('%.*c', 100, 'a') FROM n;
PRAGMA cache_spill = 1;
BEGIN;
UPDATE t SET t = t || 'b';
.shell cp hot.db half.db && cp hot.db-journal half.db-journal
ROLLBACK;
SQL
rm -f hot.db hot.db-journal
mv half.db hot.db && mv half.db-journal hot.db-journal
