-- Lists the modules of this schema. Rows: the module, and the version of its functions, views and triggers, or 0 if no
-- version is complete. Locks: none.
select m.part, coalesce(p.set_number, 0)
from (select part from migration union select part from schema_object) m
left join schema_part p using (part)
order by 1
