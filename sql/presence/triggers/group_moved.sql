-- Writes the boxes of a group again if its shape changed.
create or replace trigger group_moved after update of latitude, longitude, radius, corner_latitudes, corner_longitudes on groups
for each row
when ((old.latitude, old.longitude, old.radius, old.corner_latitudes, old.corner_longitudes)
  is distinct from (new.latitude, new.longitude, new.radius, new.corner_latitudes, new.corner_longitudes))
execute function group_placed()
