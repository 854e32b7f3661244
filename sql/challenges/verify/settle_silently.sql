-- Records the current ranks of boards as notified, and deletes unread notifications that report outdated ranks. This
-- statement is executed when boards are repaired, so that members are not notified of the repaired ranks. $1: the ids
-- of the boards. Rows: one row with the number of deleted notifications. Locks: the changed standings and the unread
-- notifications. The caller must hold the publish locks of the boards. If a reader has locked a notification to mark it
-- as read, the notification is not deleted. Indexes: standing_pkey, notification_N_pkey, silent_move_board.
with moved as materialized (
  select challenge_id, user_id, rank, told_rank, notification_created_at, notification_id
  from standing
  where challenge_id = any ($1) and told_rank is not null
    and (told_rank, told_value) is distinct from (rank, value)
),
unread as materialized (
  select n.partition, n.created_at, n.id
  from moved m
  join notification n on n.partition = day_partition(m.notification_created_at)
    and n.created_at = m.notification_created_at and n.id = m.notification_id
  where m.rank <> m.told_rank and not n.is_read
  for update of n skip locked
),
taken_back as (
  delete from notification n
  using unread u
  where n.partition = u.partition and n.created_at = u.created_at and n.id = u.id
  returning 1
),
known as (
  update standing s
  set told_rank = s.rank, told_value = s.value,
    notification_created_at = case when m.rank = m.told_rank then s.notification_created_at end,
    notification_id = case when m.rank = m.told_rank then s.notification_id end,
    notification_from = case when m.rank = m.told_rank then s.notification_from end
  from moved m
  where s.challenge_id = m.challenge_id and s.user_id = m.user_id
  returning 1
),
forgotten as (
  delete from silent_move where challenge_id = any ($1)
  returning 1
)
select count(*) from taken_back
