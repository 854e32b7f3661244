-- Returns the distance in meters from a position to a group's place. Inside the group's place, the distance is 0.
-- needs: metres_between, metres_to_polygon
create or replace function metres_to_group(it groups, latitude double precision, longitude double precision)
returns double precision language sql immutable parallel safe
return case
  when it.radius is not null
    then greatest(0, metres_between(it.latitude, it.longitude, latitude, longitude) - it.radius)
  else metres_to_polygon(it.corner_latitudes, it.corner_longitudes, latitude, longitude)
end
