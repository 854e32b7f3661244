-- Batches: a run of a job that waits until many other runs have ended. Runs do not know their batches, so the tables of
-- the queue are unchanged.

create table batch (
  id bigint generated always as identity primary key,
  name text collate "C" not null unique,
  -- The batch that cannot end before this batch. Null: the batch is not nested. There is no foreign key, because the
  -- check of a foreign key would lock the parent, which dispatchers lock.
  parent bigint,
  -- The stored name of the job that runs when the batch ends. Null: no job runs.
  batch_job text collate "C",
  created_at timestamptz not null default pg_catalog.now(),
  -- Since when no member can be added. Null: the batch is open.
  sealed_at timestamptz,
  ended_at timestamptz,
  -- The number of times that the batch ends. A retry of a dead member starts the next generation.
  generation integer not null default 1,
  -- The counts of ended members. Open members are not counted, because callers would then have to update this row.
  done bigint not null default 0,
  dead bigint not null default 0,
  cancelled bigint not null default 0,
  -- The last member of the latest piece, so that the next pass continues with the next piece. 0: the first piece.
  position bigint not null default 0,
  -- The last member that was cancelled or retried together with the batch. Null: the batch is not cancelled or retried.
  cancel_position bigint,
  retry_position bigint,
  -- When a dispatcher looks at the batch again, and when a member last ended.
  due timestamptz not null default pg_catalog.now(),
  changed_at timestamptz not null default pg_catalog.now()
) with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.05);
create index batch_due on batch (due) where ended_at is null;
create index batch_parent on batch (parent) where parent is not null;

-- A member is a call, not a run: calls are merged, and a merged run can serve several batches. Members that are done or
-- cancelled are deleted.
create table batch_member (
  batch bigint not null,
  is_dead boolean not null default false,
  -- The id that `enqueue` returned, the job's stored name, and the key of the call's event.
  id bigint not null,
  job text collate "C" not null,
  key text collate "C" not null,
  -- True if the run that contained the call was cancelled. The next pass counts and deletes the member.
  is_cancelled boolean not null default false,
  -- The transaction of the call's event, and a time that is not before the time of the event.
  xact xid8 not null default pg_current_xact_id(),
  recorded_at timestamptz not null default pg_catalog.clock_timestamp(),
  primary key (batch, is_dead, id)
) with (autovacuum_vacuum_scale_factor = 0.05);
-- Finds the members of a run that is cancelled or retried.
create index batch_member_key on batch_member (job, key);
