-- Returns the boxes that cover a circle. If the circle contains a pole, the box spans all longitudes.
-- needs: boxes
create or replace function boxes_around(
  latitude double precision, longitude double precision, metres double precision
) returns setof box language sql immutable parallel safe as $$
  select b from (
    select metres / 111195.0797 as reach
  ) r
  cross join lateral (
    select case
      when abs(latitude) + r.reach >= 90 then 360
      -- A circle on a sphere is widest at a latitude between its center and the pole.
      else asind(least(1, sind(r.reach) / cosd(latitude)))
    end as width
  ) w
  cross join lateral boxes(latitude - r.reach, latitude + r.reach, longitude - w.width, longitude + w.width) b
$$
