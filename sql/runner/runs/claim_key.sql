-- Claims the waiting run of a key, even if it is not due, or creates a new run if the key has none. $1: the job's name.
-- $2: the run's key. $3: the fencing token. $4: the worker's id. Rows: one row with the columns of the claimed_run
-- fragment. If a run with the same key is running, if the run's group is full, or if the key of a retired job has no
-- run, no rows are returned. If another worker creates the run concurrently, the statement fails with error 23505.
-- Locks: the run. Index: run_pkey. If the job has limits, the caller must have called take_turn and checked that a run
-- may start.
with taken as (
  update run r
  set state = 'running', attempt = attempt + 1, token = $3, worker = $4, is_held = false,
    claim_number = nextval('claim_number_seq'),
    -- While the domain clock is frozen, a run that is due later is due at infinity, which workers cannot decode.
    due = case when isfinite(r.due) then r.due else now() end,
    group_key = coalesce(r.group_key, run_group($1, $2, r.payload))
  where job = $1 and key = $2 and (worker is null) is true
    and (state = 'running' or not exists (
      select from run b where b.job = $1 and b.key = $2 and b.state = 'running'))
    and is_group_full($1, coalesce(r.group_key, run_group($1, $2, r.payload))) is not true
  returning
    -- include: claimed_run
),
made as (
  insert into run (job, key, state, due, first_event_at, last_event_at, attempt, token, worker,
    payload, priority, group_key, claim_number)
  select $1, $2, 'running', at, at, at, 1, $3, $4, payload,
    coalesce((select priority from job where name = $1), 5), run_group($1, $2, payload),
    nextval('claim_number_seq')
  -- A manually started run of a schedule has the same payload as the runs of the schedule's occurrences.
  from (select now() as at, (
    select payload from schedule
    where job = $1 and $2 = rtrim('scheduled/' || name, '/')) as payload) given
  where not exists (select from run where job = $1 and key = $2)
    and not exists (select from job where name = $1 and retired_at is not null)
    and is_group_full($1, run_group($1, $2, payload)) is not true
  returning id, key, payload::text, attempt, due, first_event_at, ctid, origin, trace, false
)
select * from taken
union all
select * from made
