-- If an arrival is older than push_age, counts the omitted push notification. $1: the id of the arrival. Rows: one row
-- if the push notification is omitted, and no rows otherwise. Locks: none. Index: first_arrival_id. If a run of the job
-- is repeated, the push notification is counted again.
select nextval('dropped_push')
from first_arrival f, setting s
where f.id = $1 and f.user_id is not null and f.arrived_at <= domain_now() - in_seconds(s.push_age)
