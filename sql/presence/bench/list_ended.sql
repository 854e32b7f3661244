-- Of users, those who are not there any more. $1 users. Rows: user, by how many milliseconds the end came behind its time
-- at most: this is asked again and again. Locks: none. Index: presence_user.
select p.user_id::text, (extract(epoch from clock_timestamp() - p.since) * 1000)::double precision
from presence p
where p.user_id = any ($1) and not p.is_present
