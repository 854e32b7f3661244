-- Returns the boxes that cover an area on the Earth, in degrees, with the longitude as x. The result has one box, or
-- two boxes if the area crosses the date line. The longitudes in the arguments may exceed 180 degrees.
create or replace function boxes(
  south double precision, north double precision, west double precision, east double precision
) returns setof box language sql immutable parallel safe as $$
  select box(point(greatest(w, -180), greatest(south, -90)), point(least(e, 180), least(north, 90)))
  from (
    values
      (case when east - west >= 360 then -180 else west end, case when east - west >= 360 then 180 else east end),
      (case when east - west < 360 then west - 360 end, east - 360),
      (case when east - west < 360 then west + 360 end, east + 360)
  ) turn (w, e)
  where w is not null and w <= 180 and e >= -180
$$
