-- Records which workers' server processes no longer exist, so that the next poll can distinguish a dead worker from one
-- that only lost its connection. Rows: the number recorded. Locks: their rows.
update worker
set missing_since = now()
where missing_since is null and id in (select id from missing_worker)
