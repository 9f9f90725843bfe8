#!/bin/sh
# make.sh makes the stores of this folder with the program sqlite3, in the schemas of the
# programs that they are named for. They are committed: no test needs it.
set -eu
cd "$(dirname "$0")"
rm -f ./*.db

# Columns and constraints as claude-mem 13 makes them, first tables and later columns.
sqlite3 claude-mem.db <<'SQL'
CREATE TABLE sdk_sessions (id INTEGER PRIMARY KEY AUTOINCREMENT, content_session_id TEXT NOT NULL, memory_session_id TEXT UNIQUE, project TEXT NOT NULL,
	platform_source TEXT NOT NULL DEFAULT 'claude', user_prompt TEXT, started_at TEXT NOT NULL, started_at_epoch INTEGER NOT NULL, status TEXT CHECK(status IN ('active', 'completed', 'failed')) NOT NULL DEFAULT 'active');
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT NOT NULL, project TEXT NOT NULL, text TEXT NOT NULL, type TEXT NOT NULL,
	created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL, FOREIGN KEY(memory_session_id) REFERENCES sdk_sessions(memory_session_id) ON DELETE CASCADE);
ALTER TABLE observations ADD COLUMN title TEXT;
ALTER TABLE observations ADD COLUMN subtitle TEXT;
ALTER TABLE observations ADD COLUMN facts TEXT;
ALTER TABLE observations ADD COLUMN narrative TEXT;
ALTER TABLE observations ADD COLUMN concepts TEXT;
ALTER TABLE observations ADD COLUMN files_read TEXT;
ALTER TABLE observations ADD COLUMN files_modified TEXT;
ALTER TABLE observations ADD COLUMN discovery_tokens INTEGER DEFAULT 0;
CREATE TABLE session_summaries (id INTEGER PRIMARY KEY AUTOINCREMENT, memory_session_id TEXT UNIQUE NOT NULL, project TEXT NOT NULL, request TEXT, investigated TEXT,
	learned TEXT, completed TEXT, next_steps TEXT, files_read TEXT, files_edited TEXT, notes TEXT, created_at TEXT NOT NULL, created_at_epoch INTEGER NOT NULL);
INSERT INTO observations (memory_session_id, project, text, type, created_at, created_at_epoch, title, subtitle, facts, narrative, concepts, files_modified) VALUES
	('m1', 'kiln', '', 'bugfix', '2026-03-04T05:06:07.000Z', 1772600767000, 'The relay stuck above 1,200 degrees', 'It is driven through a snubber now', '["The snubber is 100 ohm"]', 'Welded contacts kept the kiln on.', '["gotcha","problem-solution"]', '["relay/drive.c","/etc/passwd"]'),
	('m1', 'kiln', '', 'decision', '2026-03-04T06:06:07.000Z', 1772604367000, 'Log temperatures as CSV', NULL, '[]', 'Spreadsheets read it.', '[]', '[]'),
	('m2', 'kiln', 'Only the text of an early version', 'discovery', '2025-01-02T00:00:00Z', 1735776000, NULL, NULL, NULL, NULL, NULL, NULL),
	('m3', 'loom', '', 'feature', '2026-03-05T05:06:07.000Z', 1772687167000, 'Shuttle counter', NULL, '[]', 'Counts.', '[]', '[]');
INSERT INTO session_summaries (memory_session_id, project, request, learned, created_at, created_at_epoch) VALUES
	('m1', 'kiln', 'Mend the relay', 'Contacts weld when they switch at the peak of the mains.', '2026-03-04T07:06:07.000Z', 1772607967000), ('m3', 'loom', 'Count', NULL, '2026-03-05T07:06:07.000Z', 1772694367000);
SQL

sqlite3 plugin.db <<'SQL'
CREATE TABLE memories (id TEXT PRIMARY KEY, content TEXT, summary TEXT, memory_type TEXT, category TEXT, embedding BLOB, confidence REAL, priority INTEGER DEFAULT 5, pinned BOOLEAN,
	source_type TEXT, source_session TEXT, source_context TEXT, tags TEXT, access_count INTEGER, last_accessed_at TEXT, created_at TEXT, updated_at TEXT, status TEXT);
CREATE TABLE edges (id TEXT PRIMARY KEY, source_id TEXT, target_id TEXT, relation_type TEXT, strength REAL, bidirectional BOOLEAN, created_at TEXT, UNIQUE (source_id, target_id, relation_type));
INSERT INTO memories (id, content, summary, memory_type, confidence, priority, pinned, source_session, tags, created_at, status) VALUES
	('a1', 'Readings go into PostgreSQL, because two writers are needed.', 'Readings go into PostgreSQL', 'decision', 0.9, 9, 1, 's7', '["storage","db"]', '2026-01-02T03:04:05.678901', 'active'),
	('a0', 'Readings go into SQLite.', 'Readings go into SQLite', 'decision', 0.8, 5, 0, 's1', '[]', '2025-12-01T03:04:05', 'superseded'),
	('a2', 'func dew(t float64) float64', 'dew computes the dew point', 'code_description', 0.7, 4, 0, 's7', '[]', '2026-01-03', 'active'),
	('a3', 'Gone.', 'Gone', 'gotcha', 0.1, 1, 0, 's1', '[]', '2025-01-03', 'pruned');
INSERT INTO edges (id, source_id, target_id, relation_type) VALUES ('e1', 'a1', 'a0', 'supersedes'), ('e2', 'a1', 'a3', 'relates_to'), ('e3', 'a2', 'a1', 'derived_from');
SQL

sqlite3 graph.db <<'SQL'
CREATE TABLE spans (id INTEGER PRIMARY KEY, session TEXT NOT NULL, parent_id INTEGER REFERENCES spans(id), name TEXT NOT NULL, summary TEXT, start_line INTEGER NOT NULL, end_line INTEGER, depth INTEGER NOT NULL DEFAULT 0, created_at TEXT DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE ideas (id INTEGER PRIMARY KEY, span_id INTEGER REFERENCES spans(id), content TEXT NOT NULL,
	intent TEXT CHECK(intent IN ('decision', 'conclusion', 'question', 'problem', 'solution', 'todo', 'context')), -- kinds
	confidence REAL DEFAULT 0.5 CHECK(confidence >= 0 AND confidence <= 1), answered BOOLEAN, source_file TEXT NOT NULL, source_line INTEGER NOT NULL, created_at TEXT DEFAULT CURRENT_TIMESTAMP);
CREATE TABLE entities (id INTEGER PRIMARY KEY, name TEXT NOT NULL, type TEXT, UNIQUE(name, type));
CREATE TABLE idea_entities (idea_id INTEGER REFERENCES ideas(id) ON DELETE CASCADE, entity_id INTEGER REFERENCES entities(id) ON DELETE CASCADE, PRIMARY KEY (idea_id, entity_id));
CREATE TABLE relations (id INTEGER PRIMARY KEY, from_id INTEGER REFERENCES ideas(id), to_id INTEGER REFERENCES ideas(id), relation_type TEXT, UNIQUE(from_id, to_id, relation_type));
CREATE VIRTUAL TABLE ideas_fts USING fts5(content, content='ideas', content_rowid='id');
INSERT INTO spans (id, session, name, start_line) VALUES (1, 's1', 'Radio', 3);
INSERT INTO ideas (id, span_id, content, intent, confidence, source_file, source_line, created_at) VALUES
	(1, 1, 'Which radio do we take?', 'question', 0.6, 's1.jsonl', 4, '2026-02-01 10:00:00'), (2, 1, 'We take the radio with the temperature compensated crystal.', 'decision', 0.9, 's1.jsonl', 9, '2026-02-01 10:05:00');
INSERT INTO entities VALUES (1, 'SX1262', 'technology'), (2, 'radio/spi.c', 'file');
INSERT INTO idea_entities VALUES (2, 1), (2, 2);
INSERT INTO relations (from_id, to_id, relation_type) VALUES (2, 1, 'answers');
SQL

sqlite3 events.db <<'SQL'
CREATE TABLE events (id TEXT PRIMARY KEY, session_id TEXT NOT NULL, project TEXT, git_branch TEXT, type TEXT NOT NULL, content TEXT NOT NULL, metadata TEXT, salience REAL, confidence REAL, created_at TEXT, accessed_at TEXT, access_count INTEGER DEFAULT 0, immortal INTEGER DEFAULT 0, provenance TEXT);
INSERT INTO events (id, session_id, project, git_branch, type, content, salience, confidence, created_at, provenance) VALUES
	('u1', 's5', '/home/me/kiln', 'main', 'DECISION_MADE', 'Chose SQLite over PostgreSQL: it needs no set-up.', 0.9, 0.95, '2026-02-14T21:00:00+00:00', 'layer3:MEMORY_TAG'),
	('u2', 's5', '/home/me/kiln', 'main', 'APPROACH_REJECTED', 'Rejected JSON files: they do not scale.', 0.9, 0.8, '2026-02-14T21:01:00.123456+00:00', 'layer2:KEYWORD'),
	('u3', 's5', '/home/me/kiln', 'main', 'COMMAND_RUN', 'go test ./...', 0.2, 1.0, '2026-02-14T21:02:00+00:00', 'layer1:Bash');
SQL

# As engram makes them, without its indexes.
sqlite3 engram.db <<'SQL'
CREATE TABLE sessions (id TEXT PRIMARY KEY, project TEXT NOT NULL, directory TEXT NOT NULL, started_at TEXT NOT NULL DEFAULT (datetime('now')), ended_at TEXT, summary TEXT);
CREATE TABLE observations (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, type TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL, tool_name TEXT, project TEXT, scope TEXT NOT NULL DEFAULT 'project', topic_key TEXT,
	normalized_hash TEXT, revision_count INTEGER NOT NULL DEFAULT 1, duplicate_count INTEGER NOT NULL DEFAULT 1, last_seen_at TEXT, created_at TEXT NOT NULL DEFAULT (datetime('now')), updated_at TEXT NOT NULL DEFAULT (datetime('now')), deleted_at TEXT);
CREATE TABLE user_prompts (id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, content TEXT NOT NULL, project TEXT, created_at TEXT NOT NULL DEFAULT (datetime('now')));
INSERT INTO sessions VALUES ('n1', 'kiln', '/home/me/kiln', '2026-05-01 08:00:00', NULL, 'The cones were fired twice and agreed.'), ('n2', 'kiln', '/home/me/kiln', '2026-05-02 08:00:00', NULL, NULL);
INSERT INTO observations (session_id, type, title, content, project, scope, topic_key, created_at, deleted_at) VALUES
	('n1', 'decision', 'Fire to cone 6', 'Cone 10 bends the shelves.', 'kiln', 'project', 'kiln/firing', '2026-05-01 09:00:00', NULL),
	('n1', 'pattern', 'Soak before the peak', 'Ten minutes even the heat out.', 'kiln', 'personal', NULL, '2026-05-01 09:10:00', NULL),
	('n2', 'config', 'Gone', 'Withdrawn.', 'kiln', 'project', NULL, '2026-05-02 09:00:00', '2026-05-03 09:00:00'),
	('n2', 'bugfix', 'Of a loom', 'Elsewhere.', 'loom', 'project', NULL, '2026-05-02 09:00:00', NULL);
SQL
