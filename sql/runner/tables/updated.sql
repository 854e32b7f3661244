-- A template: the events of changed rows. A row before and after the update is the same row if the primary key is the
-- same. FULL JOIN: if a row's primary key changes, the old key and the new key both get an event. Rows are compared
-- byte by byte, which works for every type and needs no operator of an extension. Rows: topic, key, payload if the job
-- declares one. Locks: none.
select{distinct} '{topic}' as topic, k.key{payload}
from {new_row} n
full join {old_row} o using ({identity})
cross join lateral (values
  (n.{key}::text{new}),
  (case when o.{key}::text is distinct from n.{key}::text then o.{key}::text end{old})
) k (key{payload_name})
where {changed} and k.key is not null
