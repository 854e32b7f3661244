-- Rewrites the boxes of a group after its shape has changed, or after the group has become public, private or inactive.
create or replace trigger group_moved
after update of latitude, longitude, radius, corner_latitudes, corner_longitudes, is_public, is_active on groups
for each row
when ((old.latitude, old.longitude, old.radius, old.corner_latitudes, old.corner_longitudes, old.is_public, old.is_active)
  is distinct from
  (new.latitude, new.longitude, new.radius, new.corner_latitudes, new.corner_longitudes, new.is_public, new.is_active))
execute function group_placed()
