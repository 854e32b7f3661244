-- Takes out a worker that holds no run any more. $1 id. Rows: 1. Locks: its row.
delete from worker
where id = $1 and not exists (select from run where state = 'running' and worker = $1)
