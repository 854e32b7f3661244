-- Lists those of the given groups whose summary is older than their newest presence. $1: the groups. Rows: the ids of
-- the groups. Locks: none. Index: presence_pkey, group_summary_pkey. Both times are starts of transactions.
select g.id
from unnest($1::text[]) g (id)
where (select max(p.changed_at) from presence p where p.group_id = g.id)
  > coalesce((select s.changed_at from group_summary s where s.group_id = g.id), '-infinity')
