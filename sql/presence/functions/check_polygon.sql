-- Rejects a polygon that crosses or touches itself, contains a pole, or is more than 500 km wide. The function checks
-- each pair of corners and each pair of edges (at most 4,950 pairs).
create or replace function check_polygon(latitudes double precision[], longitudes double precision[])
returns void language plpgsql immutable as $$
declare
  problem text;
begin
  -- An edge of 180 degrees is ambiguous, because it could run in either direction or over a pole.
  if exists (
    select from edges_of(latitudes, longitudes) e where abs(e.y1) = 90 or abs(e.x2 - e.x1) >= 180) then
    problem := 'reaches over a pole';
  elsif (select max(c.lon) - min(c.lon) >= 360 from unnest(longitudes) c (lon)) then
    problem := 'goes around the Earth';
  elsif exists (
    select from edges_of(latitudes, longitudes) a
    join edges_of(latitudes, longitudes) b on a.number < b.number
    where metres_between(a.y1, a.x1, b.y1, b.x1) > 500000)
  then
    problem := 'is more than 500 km across';
  elsif not is_simple(latitudes, longitudes) then
    problem := 'crosses or touches itself';
  else
    return;
  end if;
  perform refuse('invalidInput', 'the polygon ' || problem, 'Nothing was changed. Draw it again.');
end $$
