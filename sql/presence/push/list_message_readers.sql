-- Lists the users who are notified of a message, with the text of the message. $1: the id of the message. Rows: one row
-- for each member of the group, except the author. Members who block the author or are blocked by the author are
-- excluded. If the message was deleted or is older than push_age, the statement returns no rows. The statement finds
-- the message by id before the joins. A single query with the joins might read all messages of each group. Locks: none.
-- Indexes: member_pkey, user_block_pkey, and message_id in each partition.
with found as materialized (
  select * from message where id = $1 and deleted_at is null
    and created_at > (
      select domain_now() - in_seconds(s.push_age) from setting s)
)
select g.id::text, g.name, m.user_id::text, u.display_name, m.content, r.user_id::text
from found m
join groups g on g.id = m.group_id
left join users u on u.id = m.user_id
join member r on r.group_id = m.group_id and r.left_at is null and r.user_id is distinct from m.user_id
where not exists (
  select from user_block b
  where (b.user_id, b.blocked_user) in ((r.user_id, m.user_id), (m.user_id, r.user_id)))
order by r.user_id
