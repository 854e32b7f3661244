-- Deletes cancellation requests for runs that ended before a worker could cancel them. Rows: one row with the number of
-- deleted requests. Locks: the deleted rows, SKIP LOCKED. Index: run_pkey.
delete from cancellation
where run_id = any (array(
  select c.run_id from cancellation c
  where not exists (
    select from run r
    where r.job = c.job and r.key = c.key and r.state = 'running' and r.id = c.run_id
      and r.worker is not null)
  for update skip locked))
