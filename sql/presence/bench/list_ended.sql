-- Of the given users, those whose presence has ended. $1 users. Rows: user, upper bound of the delay of the end after
-- its time, in milliseconds: the bench repeats this query. Locks: none. Index: presence_user.
select p.user_id::text, (extract(epoch from clock_timestamp() - p.since) * 1000)::double precision
from presence p
where p.user_id = any ($1) and not p.is_present
