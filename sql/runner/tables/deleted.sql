-- The template selects the events for deleted rows. Rows: topic, key, and the payload if the job declares one. Locks:
-- none.
select{distinct} '{topic}' as topic, o.{key}::text as key{old}
from {old_row} o
where o.{key} is not null
