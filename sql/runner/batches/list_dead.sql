-- Lists the next dead members of a batch that is being retried. $1: the batch's id. $2: the maximum number of members.
-- Rows: the member's id, and the id of the dead run that contains it. If the dead run was discarded or deleted, its id
-- is null. Locks: none. Indexes: batch_pkey, batch_member_pkey, dead_run_key.
select m.id, (
  select d.id from dead_run d
  where d.job = m.job and d.key = m.key and (d.id = m.id or m.id = any (d.earlier_ids)
    or cardinality(d.earlier_ids) >= 1000 and m.recorded_at <= d.died_at
      and (d.replaced_by is not null or (d.first_event_at <= m.recorded_at) is not false))
  limit 1)
from batch b, batch_member m
where b.id = $1 and m.batch = $1 and m.is_dead and m.id > b.retry_position
order by m.id
limit $2
