-- Lists groups ordered by id. $1: a group's id, or null for all groups. $2: the id after which the list starts. $3: the
-- maximum number of groups. Rows: id, name, number of members, maximum number of members, whether the group is public,
-- whether the group is active, time zone. Locks: none. Index: groups_pkey.
select g.id::text, g.name, g.member_count, g.max_members, g.is_public, g.is_active, g.time_zone
from groups g
where g.id > $2 and g.id >= coalesce($1::text, '') and g.id <= coalesce($1::text, chr(1114111))
order by g.id
limit $3
