-- Records the workers whose server processes no longer exist. The next poll can then distinguish a dead worker from a
-- worker that only lost its connection. Rows: the number of recorded workers. Locks: the rows of these workers.
update worker
set missing_since = now()
where missing_since is null and id in (select id from missing_worker)
