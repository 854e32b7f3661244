-- The template selects the events for new rows. If a row has no key or does not satisfy the declared condition, the
-- statement selects no event. If the row's key is not a valid run key, the write fails. Rows: topic, key, and the
-- payload if the job declares one. Locks: none.
select{distinct} '{topic}' as topic, {new_key} as key{new}
from {new_row} n
where n.{key} is not null{condition}
