-- Writes the history of the runs that this transaction's reclaim has dead-lettered.
-- Rows: the number. Locks: the day's partition against TRUNCATE. Reads dead_run, which is short; run
-- only where a reclaim has dead-lettered something.
insert into run_history (partition, created_at, id, job, key, attempt, outcome, error)
select day_partition(at), at, d.id, d.job, d.key, d.attempt, 'dead', d.error
from (select clock_timestamp() as at) moment, dead_run d
join job j on j.name = d.job and j.keeps_history
where d.xmin = pg_current_xact_id()::xid
