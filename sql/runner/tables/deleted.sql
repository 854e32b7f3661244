-- A template: the events of removed rows. Rows: topic, key, payload if the job declares one. Locks: none.
select{distinct} '{topic}' as topic, o.{key}::text as key{old}
from {old_row} o
where o.{key} is not null
