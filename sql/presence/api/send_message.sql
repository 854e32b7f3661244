-- send_message of the API. $1 actor, $2 group, $3 id, $4 text. Rows: the message. Locks: those of the function.
select id, group_id, user_id, content, sent_at, is_deleted
from send_message($1, $2, $3, $4)
