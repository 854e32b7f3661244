-- Notes which workers' server processes are gone, so that the next poll can tell a dead worker from
-- one that only lost its connection. Rows: the number noted. Locks: their rows.
update worker
set missing_since = now()
where missing_since is null and id in (select id from missing_worker)
