-- Which observed chats have to be read. $1 groups, $2 versions of their chats, null where not read.
-- Rows: number in the list from 1. Locks: none. Index: group_chat_pkey.
select number from changed_chats($1, $2)
