-- Lists groups near a place. $1: the actor's id. $2: the latitude. $3: the longitude. $4: the radius in meters. Rows:
-- one row for each group, nearest first. Locks: none. Index: group_area_box.
select id, name, shape::text, is_public, time_zone, member_count, max_members, is_active, version,
  created_at, created_by, role, joined_at
from nearby_groups($1, $2, $3, $4) n
cross join lateral (select (n.found).*) g
order by n.metres_away, id
