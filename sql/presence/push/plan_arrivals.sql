-- Enqueues a run for each device that is notified of a first arrival. $1: the ids of the arrivals. Rows: one row with
-- the number of runs. Locks: none. Indexes: first_arrival_id, member_current, push_device_user.
with planned as materialized (
  select jsonb_agg(jsonb_build_object('key', d.id || '/' || f.id)) as runs
  from first_arrival f
  join member r on r.group_id = f.group_id and r.left_at is null and r.user_id <> f.user_id
  join push_device d on d.user_id = r.user_id
  where f.id = any ($1)
)
select count(*)
from planned p
cross join lateral enqueue_many('deliver-first-arrival', p.runs)
where p.runs is not null
