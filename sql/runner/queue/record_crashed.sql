-- Writes the history of the runs that the reclaim of this transaction moved to the dead letters. Rows: one. Locks: the
-- day's partition against TRUNCATE. Reads dead_run, which is short; it is called only if a reclaim has moved runs
-- there.
select record_history('dead', array_agg(jsonb_populate_record(null::run, to_jsonb(d))),
  array_agg(d.error))
from dead_run d
join job j on j.name = d.job and j.keeps_history
where d.xmin = pg_current_xact_id()::xid
