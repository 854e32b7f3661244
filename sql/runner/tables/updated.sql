-- A template: the events of changed rows. Before and after are the same row where the primary key is the
-- same. FULL JOIN: one whose primary key changes is gone for one key and new for another. Rows are compared
-- byte by byte, which every type can be, and which no operator of an extension is needed for.
-- Rows: topic, key, payload if the job declares one. Locks: none.
select{distinct} '{topic}' as topic, k.key{payload}
from {new_row} n
full join {old_row} o using ({identity})
cross join lateral (values
  (n.{key}::text{new}),
  (case when o.{key}::text is distinct from n.{key}::text then o.{key}::text end{old})
) k (key{payload_name})
where {changed} and k.key is not null
