-- Long jobs remember: a run of a chunked job continues after its last committed step, with the state that the step
-- stored.

-- The stored state and the progress of a run. A run with a checkpoint keeps its id, key and payload until it ends.
create table run_checkpoint (
  run_id bigint primary key,
  job text collate "C" not null,
  key text collate "C" not null,
  -- The JSON of the job's state. Null: the job reports only progress. The type is not jsonb, because jsonb changes the
  -- text and refuses NUL characters.
  state json,
  done bigint check (done >= 0),
  total bigint check (total >= 0),
  saved_at timestamptz not null default pg_catalog.now(),
  check ((done is null) = (total is null))
) with (fillfactor = 70);

-- True if the run has a checkpoint, else null, which takes no space. A waiting run with a checkpoint stays `running`
-- without a worker: the primary key then keeps the next run of its key waiting, and no other run is merged with it.
-- The row contains the mark, because `reclaim` may see the row, but not yet the checkpoint of a step that has just
-- committed. The mark gives the row a newer version, which `reclaim` then does not change.
alter table run
  add column has_checkpoint boolean,
  drop constraint run_check1,
  drop constraint run_check2,
  add constraint run_state check (
    case state when 'running' then worker is not null or has_checkpoint is true
      else worker is null and has_checkpoint is null end),
  add constraint run_token check ((token is null) = (worker is null)),
  add constraint run_held check (not is_held or worker is null and batch_limit = 0 and group_key is not null);

-- A run waits if it has no worker.
drop index run_ready;
drop index run_alone;
drop index run_split;
drop index run_backoff;
create index run_ready on run (job, batch_limit, priority, due, id) where worker is null and not is_held;
create index run_alone on run (job, due) where worker is null and batch_limit = -1;
create index run_split on run (job, due) where worker is null and batch_limit > 0;
create index run_backoff on run (job, backoff_until) where worker is null and backoff_until is not null;
