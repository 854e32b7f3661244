-- The template selects the events for updated rows. Old and new versions of a row are joined by the primary key. FULL
-- JOIN is used, because an update may change the primary key. If the primary key changes, the update records an event
-- for the old key and an event for the new key. Rows are compared byte by byte, which is possible for every type and
-- needs no operators from extensions. If the new key is not a valid run key, the write fails. If the old key is not a
-- valid run key, no event is recorded for the old key. If the job declares a condition, an event is recorded only if
-- the new row satisfies the condition. If an old row has no new row with the same primary key, the old row must satisfy
-- the condition instead. Rows: topic, key, and the payload if the job declares one. Locks: none.
select{distinct} '{topic}' as topic, {changed_key} as key{payload}
from {new_row} n
full join {old_row} o using ({identity})
cross join lateral (values
  (n.{key}::text{new}),
  (case when o.{key}::text is distinct from n.{key}::text and is_key(o.{key}::text) then o.{key}::text end{old})
) k (key{payload_name})
where {changed} and k.key is not null{condition}
