-- Stores the history of runs that the reclaim statement has moved to dead_run in this transaction. The caller must not
-- execute the statement if reclaim has moved no runs. Rows: one row. Locks: the day's history partition (to block
-- TRUNCATE). The statement reads dead_run, which is a small table.
select record_history('dead', array_agg(jsonb_populate_record(null::run, to_jsonb(d))),
  array_agg(d.error))
from dead_run d
join job j on j.name = d.job and j.keeps_history
where d.xmin = pg_current_xact_id()::xid
