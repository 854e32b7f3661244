-- Writes the boxes of new and changed groups. Only active public groups have boxes, so a search does not read other
-- groups.
create or replace function group_placed() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  delete from group_area a where a.group_id = new.id;
  if not (new.is_public and new.is_active) then
    return null;
  end if;
  insert into group_area (group_id, area)
  select new.id, b
  from boxes_around(new.latitude, new.longitude, new.radius) b
  where new.radius is not null;
  insert into group_area (group_id, area)
  select new.id, b
  from (
    select min(lat) as south, max(lat) as north, min(lon) as west, max(lon) as east
    from unnest(new.corner_latitudes, new.corner_longitudes) c (lat, lon)
  ) hull
  cross join lateral boxes(hull.south, hull.north, hull.west, hull.east) b
  where new.radius is null;
  return null;
end $$
