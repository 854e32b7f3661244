-- Stores the payloads of claimed runs that have other stored payloads, but not their own. Such a run was dispatched
-- partly while the job read all payloads, and partly while it read only the newest payload. $1: the job's name. $2: the
-- run ids. $3: the run keys. Rows: 1 affected row for each stored payload. Locks: none. Indexes: run_pkey,
-- run_payload_pkey, run_payload_taken_by. Usually, the run's own payload is stored, and the first probe ends the
-- search.
insert into run_payload (id, job, key, payload)
select r.payload_event, r.job, r.key, r.payload
from run r
where r.job = $1 and r.key = any ($3) and r.state = 'running' and r.id = any ($2) and r.payload is not null
  and r.payload_event is not null and r.has_checkpoint is null
  and case
    when (
      select true from run_payload p where p.job = r.job and p.key = r.key and p.id = r.payload_event) is null
      then (select true from run_payload p where p.taken_by = r.id limit 1) is null
        and (
          select true from free_payload f
          where f.job = r.job and f.key = r.key and f.id < r.payload_event
          limit 1) end
on conflict do nothing
