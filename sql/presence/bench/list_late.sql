-- Lists the given groups whose summary is older than the newest presence in the group. $1: the ids of the groups. Rows:
-- the ids of the groups. Locks: none. Indexes: presence_pkey, group_summary_pkey. The statement compares the start
-- times of the transactions that wrote the presence and the summary.
select g.id
from unnest($1::text[]) g (id)
where (select max(p.changed_at) from presence p where p.group_id = g.id)
  > coalesce((select s.changed_at from group_summary s where s.group_id = g.id), '-infinity')
