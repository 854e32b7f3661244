-- A template: the events of new rows. Rows: topic, key, where there is one payload and time. Locks: none.
select{distinct} '{topic}' as topic, n.{key}::text as key{new}
from {new_row} n
where n.{key} is not null
