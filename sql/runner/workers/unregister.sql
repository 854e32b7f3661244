-- Deletes a worker that has no runs. $1: the worker's id. Rows: 1 affected row, or 0 if the worker has runs. Locks: the
-- worker's row. Index: run_running.
delete from worker
where id = $1 and not exists (select from run where worker = $1)
