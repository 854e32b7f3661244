-- Deletes a worker that has no runs. $1: the id of the worker. Rows: 1 affected row, or 0 if the worker has runs.
-- Locks: the row of the worker. Index: run_running.
delete from worker
where id = $1 and not exists (select from run where worker = $1)
