-- Lists those of the given groups whose summary does not include all of their presences yet. $1 contains the groups.
-- Rows: the ids of the groups. Locks: none. Index: presence_pkey, group_summary_pkey.
select g.id
from unnest($1::text[]) g (id)
where (select sum(p.version) from presence p where p.group_id = g.id)
  is distinct from (select s.presences_version from group_summary s where s.group_id = g.id)
