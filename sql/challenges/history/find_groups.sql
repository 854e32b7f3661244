-- Finds up to 101 groups by id or name. $1: the id or the name. Rows: the id of each group. Locks: none. Indexes:
-- groups_pkey, group_name.
select id::text from groups where id = $1::text
union all
-- With the condition `name = $1`, the planner could read all groups in order of id.
(select id::text from groups where name >= $1::text and name <= $1::text and id <> $1::text order by name, id limit 100)
