-- Creates public groups whose places are circles with a radius of 100 m. $1: the ids, which are also used as names. $2:
-- the latitudes. $3: the longitudes. $4: the time zones. Rows: one row for each group. Locks: the new rows.
insert into groups (id, name, latitude, longitude, radius, is_public, time_zone, max_members)
select g.id, g.id, g.latitude, g.longitude, 100, true, g.zone, 1000
from unnest($1::text[], $2::double precision[], $3::double precision[], $4::text[])
  g (id, latitude, longitude, zone)
