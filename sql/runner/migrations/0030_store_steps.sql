-- Effects store the results of their steps: after an error or a crash, an attempt continues after the last stored step.

-- The results of the durable steps of an effect. A run with a stored step also has a row in `run_checkpoint`, so the run
-- keeps its id, key and payload until it ends. A stored result never changes.
create table run_step (
  run_id bigint not null,
  name text collate "C" not null,
  -- The JSON of the step's result. The type is not jsonb, because jsonb changes the text and refuses NUL characters.
  result json not null,
  saved_at timestamptz not null default pg_catalog.now(),
  primary key (run_id, name)
);
