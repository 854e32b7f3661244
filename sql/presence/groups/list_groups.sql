-- Lists groups ordered by id. $1 is a group's id, or null for all groups. Rows: id, name, number of members, maximum
-- number of members, whether the group is public, whether the group is active, time zone. Locks: none. Index:
-- groups_pkey.
select g.id::text, g.name, g.member_count, g.max_members, g.is_public, g.is_active, g.time_zone
from groups g
where $1::text is null or g.id = $1::text
order by g.id
