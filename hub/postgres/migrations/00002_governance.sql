-- What was purged, and who asked what: see docs/hub.md.

-- +goose Up
create table hub.tomb (
  org   int  not null,
  kind  text collate "C" not null,
  value text collate "C" not null,
  purge text not null,
  at    timestamptz not null,
  primary key (org, kind, value)
);

create table hub.audit (
  org  int    not null,
  at   timestamptz not null,
  id   bigint not null default nextval('hub.moves'),
  line json   not null,
  primary key (org, at, id)
);

alter table hub.tomb  enable row level security;
alter table hub.audit enable row level security;
create policy writes on hub.tomb  to hub_writer using (org = (select current_setting('hub.org')::int));
create policy writes on hub.audit to hub_writer using (org = (select current_setting('hub.org')::int));
grant select, insert, update, delete on hub.tomb, hub.audit to hub_writer;
