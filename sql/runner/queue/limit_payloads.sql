-- Unassigns the payloads of claimed runs beyond the first 1,000 payloads and 4 MiB of each run, for a job that reads
-- all payloads. Only a worker that reads the newest payload assigns more payloads to a run (assign_payloads). The
-- take_payloads statement creates the next run for the payloads that become free. A run with a checkpoint keeps its
-- payloads. $1: the job's name. $2: the run ids. $3: the run keys. Rows: 1 affected row for each unassigned payload.
-- Locks: the payloads. Indexes: run_pkey, run_payload_taken_by.
update run_payload
set taken_by = null
where ctid = any (array(
  select p.place
  from run r, lateral (
    select ctid as place, row_number() over (order by id) as number,
      sum(octet_length(payload::text)) over (order by id) as size
    from run_payload
    where taken_by = r.id) p
  where r.job = $1 and r.key = any ($3) and r.state = 'running' and r.id = any ($2) and r.has_checkpoint is null
    and (p.number > 1000 or p.number > 1 and p.size > 4194304)))
