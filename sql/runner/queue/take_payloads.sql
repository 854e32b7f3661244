-- Assigns payloads to the claimed runs of a job that reads all payloads, in the transaction of the claim. A run that
-- already has payloads gets no further payloads. A run without payloads gets the oldest free payloads of its key, up to
-- the payload that last_payload returns. The remaining payloads get a new run. The new run is due after 100 ms
-- (fragment after_commit). $1: the job's name. $2: the ids of the runs. $3: the keys of the runs. Rows: one row for
-- each payload, in the order of dispatch, with the id of the run and the payload. Locks: the payloads, and the new run.
-- Indexes: run_payload_pkey, run_payload_taken_by.
with claimed as materialized (
  select c.run, c.key,
    case when not exists (select from run_payload p where p.taken_by = c.run)
      -- A run with a checkpoint gets no new payloads.
      and (select has_checkpoint from run where job = $1 and key = c.key and state = 'running') is null
      then last_payload($1, c.key) end as last
  from unnest($2::bigint[], $3::text[]) as c (run, key)
),
taken as (
  update run_payload p set taken_by = c.run
  from claimed c, lateral (
    select id from free_payload f
    where f.job = $1 and f.key = c.key and f.id <= c.last
    order by f.id
    limit 1000) f
  where p.job = $1 and p.key = c.key and p.id = f.id
  returning c.run, p.id, p.payload
),
rest as (
  insert into run (job, key, state, due, first_event_at, last_event_at, priority, group_key,
    origin, trace)
  select $1, c.key, 'ready',
    -- include: after_commit
    , now(), now(), r.priority, r.group_key, r.origin, r.trace
  from claimed c
  join run r on r.job = $1 and r.key = c.key and r.state = 'running'
  where exists (
    select from free_payload f where f.job = $1 and f.key = c.key and f.id > coalesce(c.last, 0))
  order by c.key
  on conflict (job, key, state) do nothing
)
select run, payload::text
from (
  select run, id, payload from taken
  union all
  select c.run, p.id, p.payload from claimed c join run_payload p on p.taken_by = c.run) p
order by run, id
