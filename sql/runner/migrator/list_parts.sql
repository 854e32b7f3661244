-- The parts of this schema. Rows: part, the number of its set (0: the set is not complete yet). Locks: none.
select m.part, coalesce(p.set_number, 0)
from (select part from migration union select part from schema_object) m
left join schema_part p using (part)
order by 1
