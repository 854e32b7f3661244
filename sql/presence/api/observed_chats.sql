-- The newest messages of chats. $1 groups, $2 how many of each. Rows: number in the list from 1, version of the chat, and
-- a message (null: there is none), newest first. Locks: none. Index: message_history of each partition.
select number, version, (message).id, (message).group_id, (message).user_id, (message).content, (message).sent_at,
  (message).is_deleted
from observed_chats($1, $2)
