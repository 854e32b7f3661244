-- Deletes the records of runs that no longer delay the next run of a throttled key. Rows: the number of deleted rows,
-- at most 10,000. Locks: the deleted rows, SKIP LOCKED.
delete from recent_run
where ctid = any (array(
  select ctid from recent_run where free_at <= now() limit 10000 for update skip locked))
