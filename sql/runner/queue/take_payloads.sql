-- Assigns payloads to the claimed runs of a job that reads all payloads, in the transaction of the claim. A run without
-- payloads gets the first thousand payloads of the run's key. For the remaining payloads, the statement creates a new
-- run, which is due after 100 ms, as in release. $1: the job's name. $2: the ids of the runs. $3: the key of each run.
-- Rows: one row for each payload, in the order of dispatch, with the id of the run and the payload. Locks: the
-- payloads, and the new run. Indexes: run_payload_pkey, run_payload_taken_by.
with claimed as materialized (
  select c.run, c.key,
    exists (select from run_payload p where p.taken_by = c.run) as has_taken
  from unnest($2::bigint[], $3::text[]) as c (run, key)
),
free as (
  select c.run, c.key, p.id,
    row_number() over (partition by c.run order by p.id) > case when has_taken then 0 else 1000 end
      as is_rest
  from claimed c, lateral (
    select id from free_payload p
    where p.job = $1 and p.key = c.key
    order by id
    limit case when has_taken then 1 else 1001 end) p
),
taken as (
  update run_payload p set taken_by = f.run
  from free f
  where p.job = $1 and p.key = f.key and p.id = f.id and not f.is_rest
  returning f.run, p.id, p.payload
),
rest as (
  insert into run (job, key, state, due, first_event_at, last_event_at, priority, group_key,
    origin, trace)
  select $1, f.key, 'ready',
    -- include: after_commit
    , now(), now(), r.priority, r.group_key, r.origin, r.trace
  from free f
  join run r on r.job = $1 and r.key = f.key and r.state = 'running'
  where f.is_rest
  order by f.key
  on conflict (job, key, state) do nothing
)
select run, payload::text
from (
  select run, id, payload from taken
  union all
  select c.run, p.id, p.payload from claimed c join run_payload p on p.taken_by = c.run) p
order by run, id
