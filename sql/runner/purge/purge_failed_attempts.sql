-- Deletes failed attempts that are older than the retention period of the history and belong to ended runs. $1: the
-- maximum number of attempts. $2: the time to search from, in microseconds since 1970, or null to start with the oldest
-- attempt. Rows: one row with the number of deleted attempts, and the time of the last deleted attempt (null if none
-- was deleted). Locks: the deleted rows, SKIP LOCKED. Indexes: failed_attempt_ended, run_pkey. The statement also reads
-- dead_run, which is a small table.
with old as materialized (
  select id, ended_at
  from expired_attempt
  where ended_at >= coalesce(timestamptz 'epoch' + $2::bigint * interval '1 us', '-infinity')
  order by ended_at
  limit $1
  for update skip locked
),
gone as (
  delete from failed_attempt where id = any (array(select id from old))
)
select count(*), (extract(epoch from max(ended_at)) * 1000000)::bigint from old
