-- Reads the newest messages of chats. $1: the ids of the groups. $2: the maximum number of messages per group. Rows:
-- the chat's position in $1 (starting at 1), the version of the chat, and a message or null. Each chat's newest message
-- comes first. Locks: none. Index: message_history in each partition.
select number, version, (message).id, (message).group_id, (message).user_id, (message).content, (message).sent_at,
  (message).is_deleted
from observed_chats($1, $2)
