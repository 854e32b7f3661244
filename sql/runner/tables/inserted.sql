-- The template selects the events for new rows. Rows: topic, key, and the payload if the job declares one. Locks: none.
select{distinct} '{topic}' as topic, n.{key}::text as key{new}
from {new_row} n
where n.{key} is not null
