-- What a run went through before: its failed attempts, and the ids of runs that go on in it. A dead run
-- that is tried again keeps its id; `runs show` finds it under each of the ids it ever had.

alter table run
  -- One {"attempt", "at", "error"} for each attempt that counted and failed, oldest first.
  add errors jsonb,
  -- Runs of the key that were merged into this one, oldest first.
  add earlier_ids bigint[];

alter table dead_run
  add errors jsonb,
  add earlier_ids bigint[],
  -- When it was first asked for. Null in runs that died before this column was there.
  add first_event_at timestamptz;

-- The list with one more failed attempt, the newest twenty of them; as it was where there is no error.
create function add_error(errors jsonb, attempt integer, error text) returns jsonb
language sql stable
return case when error is null then errors else
  case when jsonb_array_length(errors) >= 20 then errors - 0 else coalesce(errors, '[]') end
  || jsonb_build_object('attempt', attempt, 'at',
    to_char(pg_catalog.now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'error', left(error, 2000)) end;

-- The newest twenty: a key that is written all the time can be merged again and again.
create function newest_ids(ids bigint[]) returns bigint[]
language sql immutable
return ids[greatest(1, cardinality(ids) - 19):];
