-- Makes public groups whose places are circles of 100 m. $1 ids, which are the names too, $2 latitudes, $3 longitudes,
-- $4 zones. Rows: one each. Locks: the new rows.
insert into groups (id, name, latitude, longitude, radius, is_public, time_zone, max_members)
select g.id, g.id, g.latitude, g.longitude, 100, true, g.zone, 1000
from unnest($1::text[], $2::double precision[], $3::double precision[], $4::text[])
  g (id, latitude, longitude, zone)
