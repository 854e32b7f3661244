-- Returns the distance in meters of a place from a group's place, or 0 inside the group's place.
-- needs: metres_between, metres_to_polygon
create or replace function metres_to_group(it groups, latitude double precision, longitude double precision)
returns double precision language sql immutable parallel safe
return case
  when it.radius is not null
    then greatest(0, metres_between(it.latitude, it.longitude, latitude, longitude) - it.radius)
  else metres_to_polygon(it.corner_latitudes, it.corner_longitudes, latitude, longitude)
end
