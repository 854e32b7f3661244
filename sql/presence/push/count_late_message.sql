-- If a message is older than push_age, counts the omitted push notification. $1: the id of the message. Rows: one row
-- if the push notification is omitted, and no rows otherwise. Locks: none. Index: message_id in each partition. If a
-- run of the job is repeated, the push notification is counted again.
select nextval('dropped_push')
from message m, setting s
where m.id = $1 and m.deleted_at is null and m.created_at <= domain_now() - in_seconds(s.push_age)
