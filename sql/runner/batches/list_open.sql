-- Lists the next open members of a batch that is being cancelled. $1: the batch's id. $2: the maximum number of
-- members. Rows: the member's id, and the id, job, key and state (ready or running) of the run that contains it. If no
-- run contains the member, or if the run's cancellation has already been requested, the run's columns are null. Locks:
-- none. Indexes: batch_pkey, batch_member_pkey, run_pkey, cancellation_pkey.
select m.id, f.id, f.job, f.key, f.state
from (
  select m.* from batch b, batch_member m
  where b.id = $1 and m.batch = $1 and not m.is_dead and m.id > b.cancel_position
  order by m.id
  limit $2
) m
left join lateral (
  select r.id, r.job, r.key, case when r.worker is null then 'ready' else 'running' end as state
  from run r
  where r.job = m.job and r.key = m.key
    and not exists (select from cancellation c where c.run_id = r.id) and
    -- include: holds_member
  limit 1) f on true
order by m.id
