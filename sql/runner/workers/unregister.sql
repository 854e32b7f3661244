-- Removes a worker that holds no run. $1 id. Rows: 1. Locks: its row. Index: run_running.
delete from worker
where id = $1 and not exists (select from run where worker = $1)
