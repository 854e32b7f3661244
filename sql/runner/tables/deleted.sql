-- The template selects the events for deleted rows. If the row's key is not a valid run key, the statement selects no
-- event, so the row can still be deleted. If a row did not satisfy the declared condition, the statement selects no
-- event. Rows: topic, key, and the payload if the job declares one. Locks: none.
select{distinct} '{topic}' as topic, o.{key}::text as key{old}
from {old_row} o
where is_key(o.{key}::text){condition}
