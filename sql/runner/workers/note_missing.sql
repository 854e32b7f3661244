-- Records the workers whose server processes no longer exist. The next poll uses the records to distinguish dead
-- workers from workers that only lost their connection. Rows: one row with the number of recorded workers. Locks: the
-- rows of the recorded workers.
update worker
set missing_since = now()
where missing_since is null and id in (select id from missing_worker)
