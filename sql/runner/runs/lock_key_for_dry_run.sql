-- The run of one key, as a claim would return it, for a dry run. Claims skip this run until this transaction ends, but
-- the fold still adds events to it. $1 job, $2 key. Rows: id, key, payload, attempt, due, first event, place, origin,
-- trace; an invented one with id 0 if the key has no run, none if it runs elsewhere. Locks: the run, KEY SHARE. Index:
-- run_pkey.
with held as materialized (
  select id, key, payload::text, attempt + 1 as attempt, due,
    least(first_event_at, asked_at) as first_event_at, ctid as place, origin, trace
  from run
  where job = $1 and key = $2 and state = 'ready'
    and not exists (
      select from run b where b.job = $1 and b.key = $2 and b.state = 'running')
  for key share
)
select id, key, payload, attempt, due, first_event_at, place, origin, trace from held
union all
select 0, $2, (
    select s.payload::text from schedule s
    where s.job = $1 and $2 = rtrim('scheduled/' || s.name, '/')), 1, now(), now(),
  '(0,0)'::tid, null, null
where not exists (select from run where job = $1 and key = $2)
