-- Counts a push that is dropped because its message is older than push_age. $1: the id of the message. Rows: one if the
-- push is dropped, else none. Locks: none. Index: message_id of each partition. A repeated run counts again.
select nextval('dropped_push')
from message m, setting s
where m.id = $1 and m.deleted_at is null and m.created_at <= domain_now() - in_seconds(s.push_age)
