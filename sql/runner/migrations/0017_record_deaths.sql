-- The transactional runs of a dead worker are released before its effects, whose lease has not expired yet. The death
-- is nevertheless judged once, with the runs that the worker held when it died.
alter table worker
  -- Whether the worker performs effects, which continue without a connection to the server.
  add column performs_effects boolean not null default false,
  -- The number of runs that the worker held when its death was recorded. Null: the worker is not recorded as dead.
  add column held_at_death bigint,
  -- Whether the dead worker may still perform effects, and holds no other runs.
  add column awaits_lease boolean not null default false;
