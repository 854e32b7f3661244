-- How far a place is from a polygon; 0: in it, or on its border. The corners are unwrapped, so the place is looked at
-- where it is and once around the Earth to either side. Plane: around the place, degrees of longitude count as there;
-- right to a few metres for what is a few hundred kilometres wide. Inside by the even-odd rule.
create or replace function metres_to_polygon(
  latitudes double precision[], longitudes double precision[],
  latitude double precision, longitude double precision
) returns double precision language sql immutable parallel safe strict
return (
  select min(case when t.crossings % 2 = 1 then 0 else t.metres end)
  from (
    select
      count(*) filter (where (e.y1 > 0) <> (e.y2 > 0) and e.x1 - e.y1 * (e.x2 - e.x1) / nullif(e.y2 - e.y1, 0) > 0)
        as crossings,
      min(point(0, 0) <-> lseg(point(e.x1, e.y1), point(e.x2, e.y2))) as metres
    from (values (-360), (0), (360)) turn (degrees)
    cross join lateral (
      select
        (c.lon - longitude + turn.degrees) * cosd(latitude) * 111195.0797 as x1,
        (c.lat - latitude) * 111195.0797 as y1,
        (longitudes[1 + c.number % cardinality(longitudes)] - longitude + turn.degrees)
          * cosd(latitude) * 111195.0797 as x2,
        (latitudes[1 + c.number % cardinality(latitudes)] - latitude) * 111195.0797 as y2
      from unnest(latitudes, longitudes) with ordinality c (lat, lon, number)
    ) e
    group by turn.degrees
  ) t
)
