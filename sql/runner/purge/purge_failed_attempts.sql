-- Removes failed attempts of ended runs, if they are older than the history is kept. $1 how many. Rows: the number.
-- Locks: those rows, SKIP LOCKED. Indexes: failed_attempt_ended, run_pkey; reads dead_run, which is short.
delete from failed_attempt
where id = any (array(
  select id from expired_attempt order by ended_at limit $1 for update skip locked))
