-- Claims the run of one key: its ready run, whatever its due time, or a new run if it has none. $1 job, $2 key,
-- $3 token, $4 worker. Rows: id, key, payload, attempt, due, first event, place, origin, trace; none if it runs
-- elsewhere or its group is full, 23505 if another worker starts it meanwhile. Locks: the run. Index: run_pkey. If the
-- job has limits, the caller has the job's turn, and there is room.
with taken as (
  update run r
  set state = 'running', attempt = attempt + 1, token = $3, worker = $4, is_held = false,
    group_key = coalesce(r.group_key, run_group($1, $2, r.payload))
  where job = $1 and key = $2 and state = 'ready'
    and not exists (
      select from run b where b.job = $1 and b.key = $2 and b.state = 'running')
    and is_group_full($1, coalesce(r.group_key, run_group($1, $2, r.payload))) is not true
  returning r.id, r.key, r.payload::text, r.attempt, r.due,
    least(r.first_event_at, r.asked_at), r.ctid, r.origin, r.trace
),
made as (
  insert into run (job, key, state, due, first_event_at, last_event_at, attempt, token, worker,
    payload, priority, group_key)
  select $1, $2, 'running', at, at, at, 1, $3, $4, payload,
    coalesce((select priority from job where name = $1), 5), run_group($1, $2, payload)
  -- A schedule's run that is started by hand gets the payload of the schedule's occurrences.
  from (select now() as at, (
    select payload from schedule
    where job = $1 and $2 = rtrim('scheduled/' || name, '/')) as payload) given
  where not exists (select from run where job = $1 and key = $2)
    and is_group_full($1, run_group($1, $2, payload)) is not true
  returning id, key, payload::text, attempt, due, first_event_at, ctid, origin, trace
)
select * from taken
union all
select * from made
