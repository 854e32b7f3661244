-- Claims one key: its ready run, whatever its due, or a new run where it has none.
-- $1 job, $2 key, $3 token, $4 worker. Rows: id, key, payload, attempt, due, first event, place; none while
-- it runs elsewhere, 23505 where that begins meanwhile. Locks: the run. Index: run_pkey.
with taken as (
  update run r
  set state = 'running', attempt = attempt + 1, token = $3, worker = $4
  where job = $1 and key = $2 and state = 'ready'
    and not exists (
      select from run b where b.job = $1 and b.key = $2 and b.state = 'running')
  returning r.id, r.key, r.payload::text, r.attempt, r.due,
    least(r.first_event_at, r.asked_at), r.ctid
),
made as (
  insert into run (job, key, state, due, first_event_at, last_event_at, attempt, token, worker,
    payload)
  select $1, $2, 'running', at, at, at, 1, $3, $4,
    -- By hand a schedule's run is given what its occurrences are.
    (select payload from schedule where job = $1 and $2 = 'scheduled')
  from (select now() as at) moment
  where not exists (select from run where job = $1 and key = $2)
  returning id, key, payload::text, attempt, due, first_event_at, ctid
)
select * from taken
union all
select * from made
