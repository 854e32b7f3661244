-- Lists the given users whose presence has ended. $1: the ids of the users. Rows: the user, and an upper bound on how
-- late the presence ended, in milliseconds. The benchmark executes this query every few milliseconds, so the upper
-- bound is only slightly longer than the actual delay. Locks: none. Index: presence_user.
select p.user_id::text, (extract(epoch from clock_timestamp() - p.since) * 1000)::double precision
from presence p
where p.user_id = any ($1) and not p.is_present
