-- Assigns payloads to the claimed runs of a job that reads all payloads, in the transaction of the claim. A run that
-- already has payloads gets no further payloads. A run without payloads gets the oldest free payloads of its key, up to
-- the payload that last_payload returns. The remaining payloads get a new run. The new run is due after 100 ms
-- (fragment after_commit). If a call with `replace` has replaced free payloads, they are deleted. $1: the job's name.
-- $2: the run ids. $3: the run keys. Rows: one row for each payload, in dispatch order, with the id of the run and the
-- payload. Locks: the payloads, and the new run. Indexes: run_pkey, run_payload_pkey, run_payload_taken_by.
-- The payloads are changed by place, so no plan compares all with all.
with claimed as materialized (
  select c.run, c.key, coalesce(r.replaced_by, 0) as replaced_by, r.has_checkpoint,
    case when not exists (select from run_payload p where p.taken_by = c.run)
      -- A run with a checkpoint gets no new payloads.
      and r.has_checkpoint is null
      -- Newer payloads belong to a ready run that a dispatch has created since the claim. If an operator has started
      -- the run without a call, all payloads belong to the ready run.
      and r.payload_event is not null
      then least(last_payload($1, c.key, r.replaced_by), r.payload_event) end as last
  from unnest($2::bigint[], $3::text[]) as c (run, key)
  left join run r on r.job = $1 and r.key = any ($3) and r.key = c.key and r.state = 'running'
),
-- A dispatch deletes replaced payloads, but not the payloads of a run that is being executed. If this run is returned
-- to the queue and merged into the run of the call with `replace`, the payloads are deleted here. A run with a
-- checkpoint is never merged, so a free payload can belong to another run of the key.
replaced as (
  delete from run_payload
  where ctid = any (array(
    select f.place
    from claimed c, lateral (
      select f.place from free_payload f where f.job = $1 and f.key = c.key and f.id < c.replaced_by offset 0) f
    where c.has_checkpoint is null))
),
taken as (
  update run_payload p
  set taken_by = (select r.id from run r where r.job = $1 and r.key = p.key and r.state = 'running')
  where p.ctid = any (array(
    select f.place
    from claimed c, lateral (
      select f.place from free_payload f
      where f.job = $1 and f.key = c.key and f.id >= c.replaced_by and f.id <= c.last
      order by f.id
      limit 1000) f))
  returning p.taken_by as run, p.id, p.payload
),
rest as (
  insert into run (job, key, state, due, first_event_at, last_event_at, payload, priority, group_key,
    origin, trace, newest_event, payload_event)
  select $1, c.key, 'ready',
    -- include: after_commit
    , now(), now(), n.payload, r.priority, nullif(r.group_key, ''), r.origin, r.trace, n.id, n.id
  from claimed c
  join run r on r.job = $1 and r.key = c.key and r.state = 'running',
  lateral (
    select f.id, f.payload from free_payload f
    where f.job = $1 and f.key = c.key and f.id > coalesce(c.last, 0) and f.id >= c.replaced_by
    order by f.id desc limit 1) n
  order by c.key
  on conflict (job, key, state) do nothing
)
select run, payload::text
from (
  select run, id, payload from taken
  union all
  select c.run, p.id, p.payload from claimed c join run_payload p on p.taken_by = c.run) p
order by run, id
