-- Refuses a polygon that crosses itself, that has two corners at one place, that goes around a pole, or that is more
-- than 500 km across. Each pair of edges is looked at: 4,950 at most.
create or replace function check_polygon(latitudes double precision[], longitudes double precision[])
returns void language plpgsql immutable as $$
declare
  corners constant integer := cardinality(latitudes);
  problem text;
begin
  if abs(longitudes[corners] - longitudes[1]) >= 180 then
    problem := 'goes around a pole';
  elsif (
    select metres_between(min(lat), min(lon), max(lat), max(lon)) > 500000 or max(lon) - min(lon) > 180
    from unnest(latitudes, longitudes) c (lat, lon))
  then
    problem := 'is more than 500 km across';
  elsif exists (
    select from unnest(latitudes, longitudes) c (lat, lon) group by lat, lon having count(*) > 1) then
    problem := 'has two corners at one place';
  elsif exists (
    with edge as (
      select c.number, lseg(point(c.lon, c.lat),
        point(longitudes[1 + c.number % corners], latitudes[1 + c.number % corners])) as line
      from unnest(latitudes, longitudes) with ordinality c (lat, lon, number)
    )
    select from edge a
    join edge b on a.number < b.number and a.line ?# b.line
    -- Neighbours share a corner.
    where b.number - a.number > 1 and not (a.number = 1 and b.number = corners))
  then
    problem := 'crosses itself';
  else
    return;
  end if;
  perform refuse('invalidInput', 'the polygon ' || problem, 'Nothing was changed. Draw it again.');
end $$
