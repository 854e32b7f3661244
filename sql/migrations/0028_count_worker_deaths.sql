-- Which workers died lately, for reclaim: a run is to blame for the death of its worker only where it was
-- alone in it, and where workers do not die of something else: a storm of kills, a machine without
-- memory, a bad build.
create table worker_death (
  worker uuid primary key,
  -- Whether all that it held was one run with which two workers had died before: such a death may be
  -- that run's doing, and speaks for no other cause.
  was_trial boolean not null,
  died_at timestamptz not null default pg_catalog.now()
);

comment on column run.batch_limit is
  'the most runs that it may be claimed with; 0: as many as a batch; -1: alone in its worker process';
