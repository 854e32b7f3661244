-- Groups by id, 51 at most. $1 prefix of the id ('': all), $2 only ids after this one ('': all). Rows: id, name,
-- members, maximum of members, whether the group is active. Locks: none. Index: groups_pkey, between the first and the
-- last id with this prefix: a prefix of few groups does not read all ids after it.
select g.id::text, redacted(g.name), g.member_count, g.max_members, g.is_active
from groups g
where g.id > $2 and g.id >= $1 and g.id < $1 || chr(1114111) and starts_with(g.id, $1)
order by g.id
limit 51
