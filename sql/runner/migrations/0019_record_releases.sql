-- The release of a program decides whether the program may write its definitions. An older program that starts later
-- leaves the definitions of the newer program.

-- The current release of each program: its definitions, limits, schedules and triggers are those of the schema.
create table program_release (
  program text collate "C" primary key,
  release integer not null,
  -- The highest release that `migrate --take-over` has replaced by a lower one. Restarted processes of the replaced
  -- releases do not become current again.
  rolled_back integer not null default -1,
  -- The fingerprint of the definitions that the current release wrote. Null: not known.
  fingerprint text,
  written_at timestamptz not null default pg_catalog.now()
);

alter table worker
  -- The program of the worker, its release and the fingerprint of its definitions. Null: not known.
  add column program text,
  add column release integer,
  add column fingerprint text;
