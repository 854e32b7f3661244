-- Counts a push that is dropped because its arrival is older than push_age. $1: the id of the arrival. Rows: one if the
-- push is dropped, else none. Locks: none. Index: first_arrival_id. A repeated run counts again.
select nextval('dropped_push')
from first_arrival f, setting s
where f.id = $1 and f.user_id is not null and f.arrived_at <= domain_now() - in_seconds(s.push_age)
