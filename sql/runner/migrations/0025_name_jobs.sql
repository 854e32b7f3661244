-- The later names of jobs. A renamed job is stored with its first name in all tables, so a rename moves no row, and an
-- older program finds everything under the name that it knows.
create table job_alias (
  name text collate "C" primary key,
  -- The first name of the job. There is no foreign key, so that older programs can ignore this migration.
  job text collate "C" not null,
  written_at timestamptz not null default pg_catalog.now()
);
