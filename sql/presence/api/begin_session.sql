-- Signs a device in. $1 actor, $2 device. Rows: one: the token, and until when. Locks: the new row.
select token, expires_at
from begin_session($1, $2)
