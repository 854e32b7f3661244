-- Enqueues a run for each device that is notified of a message. $1: the ids of the messages. Rows: one row with the
-- number of runs. Locks: none. Indexes: message_id in each partition, member_current, push_device_user.
with found as materialized (
  select m.id, m.group_id, m.user_id from message m where m.id = any ($1) and m.deleted_at is null
),
planned as materialized (
  select jsonb_agg(jsonb_build_object('key', d.id || '/' || f.id)) as runs
  from found f
  join member r on r.group_id = f.group_id and r.left_at is null and r.user_id is distinct from f.user_id
  join push_device d on d.user_id = r.user_id
)
select count(*)
from planned p
cross join lateral enqueue_many('deliver-message', p.runs)
where p.runs is not null
