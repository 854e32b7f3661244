-- Returns the edges of a polygon, with the longitude as x. The last edge ends at the first corner.
create or replace function edges_of(latitudes double precision[], longitudes double precision[])
returns table (number bigint, x1 double precision, y1 double precision, x2 double precision, y2 double precision)
language sql immutable parallel safe as $$
  select c.number, c.lon, c.lat,
    longitudes[1 + c.number % cardinality(longitudes)], latitudes[1 + c.number % cardinality(latitudes)]
  from unnest(latitudes, longitudes) with ordinality c (lat, lon, number)
$$
