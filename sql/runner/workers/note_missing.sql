-- Records the workers whose server processes no longer exist. With this record, the next poll can distinguish a dead
-- worker from a worker that only lost its connection. Rows: one row with the number of recorded workers. Locks: the
-- rows of these workers.
update worker
set missing_since = now()
where missing_since is null and id in (select id from missing_worker)
