-- Groups by id. $1 a group's id; null: all. Rows: id, name, members, maximum of members, public or not, active or not,
-- zone. Locks: none. Index: groups_pkey.
select g.id::text, g.name, g.member_count, g.max_members, g.is_public, g.is_active, g.time_zone
from groups g
where $1::text is null or g.id = $1::text
order by g.id
