-- Returns the run with a key for a dry run, with the columns that a claim returns. Until the transaction ends, claims
-- skip the run, but new events can still be merged into it. $1: the job's name. $2: the run's key. Rows: one row with
-- the columns of the claimed_run fragment. A dry run completes no run, so the last column is always false. If the key
-- has no run, the row describes a new run with id 0. If a run with the key is running, no rows are returned. Locks: the
-- run, KEY SHARE. Index: run_pkey.
with held as materialized (
  select id, key, payload::text, attempt + 1 as attempt, case when isfinite(due) then due else now() end as due,
    least(first_event_at, asked_at) as first_event_at, ctid as place, origin, trace
  from run
  where job = $1 and key = $2 and (worker is null) is true
    and (state = 'running' or not exists (
      select from run b where b.job = $1 and b.key = $2 and b.state = 'running'))
  for key share
)
select id, key, payload, attempt, due, first_event_at, place, origin, trace, false from held
union all
select 0, $2, (
    select s.payload::text from schedule s
    where s.job = $1 and $2 = rtrim('scheduled/' || s.name, '/')), 1, now(), now(),
  '(0,0)'::tid, null, null, false
where not exists (select from run where job = $1 and key = $2)
