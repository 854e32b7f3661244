-- Returns the distance in meters from a place to a polygon. Inside the polygon and on the boundary, the distance is 0.
-- Longitudes of corners may exceed 180 degrees, so the place is also tested at its longitude plus and minus 360
-- degrees. The even-odd rule decides whether the place is inside. For a place outside the polygon, the nearest point is
-- computed on a plane that touches the Earth at the place. The distance to the nearest point is computed on the sphere,
-- as in the client library.
-- needs: edges_of, metres_between
create or replace function metres_to_polygon(
  latitudes double precision[], longitudes double precision[],
  latitude double precision, longitude double precision
) returns double precision language sql immutable parallel safe strict
return (
  select case when bool_or(t.crossings % 2 = 1) then 0 else min(t.metres) end
  from (
    select
      count(*) filter (where (e.y1 > latitude) <> (e.y2 > latitude)
        and p.x < e.x1 + (latitude - e.y1) / nullif(e.y2 - e.y1, 0) * (e.x2 - e.x1)) as crossings,
      min(metres_between(latitude, p.x, e.y1 + n.part * (e.y2 - e.y1), e.x1 + n.part * (e.x2 - e.x1))) as metres
    from (values (longitude - 360), (longitude), (longitude + 360)) p (x)
    cross join edges_of(latitudes, longitudes) e
    cross join lateral (
      select least(1, greatest(0, (
        (p.x - e.x1) * (e.x2 - e.x1) * cosd(latitude) ^ 2 + (latitude - e.y1) * (e.y2 - e.y1))
        / nullif(((e.x2 - e.x1) * cosd(latitude)) ^ 2 + (e.y2 - e.y1) ^ 2, 0))) as part
    ) n
    group by p.x
  ) t
)
