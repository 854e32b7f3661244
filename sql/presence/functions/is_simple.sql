-- Returns true if no edge of a polygon has length 0, and edges touch only their neighbors, at the common corners. The
-- function computes exact signs, because PostgreSQL's operators for line segments treat places within 10 cm as equal.
-- needs: edges_of, side_of, lies_between
create or replace function is_simple(latitudes double precision[], longitudes double precision[])
returns boolean language sql immutable parallel safe
return not exists (
  select from edges_of(latitudes, longitudes) a
  join edges_of(latitudes, longitudes) b on a.number <= b.number
  cross join lateral (
    select side_of(a.x1, a.y1, a.x2, a.y2, b.x1, b.y1) as b1, side_of(a.x1, a.y1, a.x2, a.y2, b.x2, b.y2) as b2,
      side_of(b.x1, b.y1, b.x2, b.y2, a.x1, a.y1) as a1, side_of(b.x1, b.y1, b.x2, b.y2, a.x2, a.y2) as a2
  ) side
  where case
    when a.number = b.number then a.x1 = a.x2 and a.y1 = a.y2
    -- The polygon is not simple if an edge runs back over the previous edge.
    when b.number = a.number + 1 then side.b2 = 0
      and (a.x1 - a.x2) * (b.x2 - a.x2) + (a.y1 - a.y2) * (b.y2 - a.y2) > 0
    when a.number = 1 and b.number = cardinality(latitudes) then side.a2 = 0
      and (b.x1 - a.x1) * (a.x2 - a.x1) + (b.y1 - a.y1) * (a.y2 - a.y1) > 0
    else side.b1 * side.b2 < 0 and side.a1 * side.a2 < 0
      or side.b1 = 0 and lies_between(a.x1, a.y1, a.x2, a.y2, b.x1, b.y1)
      or side.b2 = 0 and lies_between(a.x1, a.y1, a.x2, a.y2, b.x2, b.y2)
      or side.a1 = 0 and lies_between(b.x1, b.y1, b.x2, b.y2, a.x1, a.y1)
      or side.a2 = 0 and lies_between(b.x1, b.y1, b.x2, b.y2, a.x2, a.y2)
  end)
