-- Of the given groups, those whose summary does not cover all of their presences yet. $1 groups. Rows: their ids.
-- Locks: none. Index: presence_pkey, group_summary_pkey.
select g.id
from unnest($1::text[]) g (id)
where (select sum(p.version) from presence p where p.group_id = g.id)
  is distinct from (select s.presences_version from group_summary s where s.group_id = g.id)
