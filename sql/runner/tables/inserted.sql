-- The template selects the events for new rows. A row without a key has no event. A key that no run can have makes the
-- write fail. Rows: topic, key, and the payload if the job declares one. Locks: none.
select{distinct} '{topic}' as topic, {new_key} as key{new}
from {new_row} n
where n.{key} is not null
