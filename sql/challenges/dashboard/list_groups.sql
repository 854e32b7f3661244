-- Lists up to 51 groups, ordered by id. $1: a prefix of the id, or an empty string for all groups. $2: the id after
-- which the list starts. Rows: id, name, number of members, maximum number of members, and whether the group is active.
-- Locks: none. Index: groups_pkey, from the first to the last id with the prefix $1. The statement never reads ids
-- without the prefix.
select g.id::text, redacted(g.name), g.member_count, g.max_members, g.is_active
from groups g
where g.id > $2 and g.id >= $1 and g.id < $1 || chr(1114111) and starts_with(g.id, $1)
order by g.id
limit 51
