-- Assigns free payloads of claimed runs to these runs, for a worker whose release reads only the newest payload. The
-- statement assigns at most 10,000 payloads, so the caller repeats it. If a run has free payloads, but its own payload
-- is not stored, the statement stores it. If a call with `replace` has replaced free payloads, they are deleted. The
-- completion of the run deletes its payloads. If the run fails, a worker that reads all payloads can still read them.
-- $1: the job's name. $2: the run ids. $3: the run keys. $4: the fencing token. Rows: 1 affected row for each assigned
-- payload. Locks: the runs, KEY SHARE, and then the payloads. Indexes: run_pkey, run_payload_pkey. The payloads are
-- changed by place, so no plan compares all with all.
with claimed as materialized (
  select id, job, key, payload, payload_event, coalesce(replaced_by, 0) as replaced_by
  from run
  -- A run with a checkpoint gets no new payloads.
  where job = $1 and key = any ($3) and state = 'running' and id = any ($2) and token = $4 and has_checkpoint is null
  -- The lock waits for a transaction that returns or cancels the run. Without the lock, the payloads could be assigned
  -- to a run that another worker has claimed again with the same id.
  order by key
  for key share
),
own as (
  insert into run_payload (id, job, key, payload, taken_by)
  select c.payload_event, c.job, c.key, c.payload, c.id
  from claimed c
  where c.payload is not null
    and (
      select true from free_payload f
      where f.job = $1 and f.key = c.key and f.id < c.payload_event and f.id >= c.replaced_by
      limit 1)
  on conflict do nothing
),
replaced as (
  delete from run_payload
  where ctid = any (array(
    select f.place
    from claimed c, lateral (
      select f.place from free_payload f where f.job = $1 and f.key = c.key and f.id < c.replaced_by offset 0) f))
)
update run_payload p
set taken_by = (select r.id from run r where r.job = $1 and r.key = p.key and r.state = 'running')
where p.ctid = any (array(
  select f.place
  from claimed c, lateral (
    select f.place from free_payload f
    where f.job = $1 and f.key = c.key and f.id >= c.replaced_by and f.id <= c.payload_event
    order by f.id
    limit 10000) f
  limit 10000))
