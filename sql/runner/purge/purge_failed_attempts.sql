-- Deletes failed attempts of ended runs that are older than the retention time of the history. $1: the maximum number
-- of attempts. Rows: one row with the number of deleted attempts. Locks: the deleted rows, SKIP LOCKED. Indexes:
-- failed_attempt_ended, run_pkey. The statement also reads dead_run, which is a small table.
delete from failed_attempt
where id = any (array(
  select id from expired_attempt order by ended_at limit $1 for update skip locked))
