-- Takes out dead workers that hold no run any more. Rows: the number. Locks: their rows.
delete from worker
where id in (select id from dead_worker)
  and not exists (select from run where state = 'running' and worker = worker.id)
