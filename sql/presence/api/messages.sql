-- A page of a group's messages. $1 actor, $2 group, $3 and $4 time and id of the last one before it, or null, $5 how
-- many. Rows: newest first. Locks: none. Index: message_history of each partition.
select id, group_id, user_id, content, sent_at, is_deleted
from messages($1, $2, $3, $4, $5)
