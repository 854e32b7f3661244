-- Returns a group's shape in the clients' JSON format. Numbers have full precision, regardless of the session's
-- settings. A stored longitude is between -540 and 540. Adding or subtracting 360 is exact, so each result is between
-- -180 and 180. A remainder would not be exact, because 179.99999999999997 + 180 is rounded to 360.
create or replace function shape_json(it groups) returns jsonb
language plpgsql stable set extra_float_digits to 1 as $$
begin
  if it.radius is not null then
    return jsonb_build_object('type', 'circle', 'center',
      jsonb_build_object('latitude', it.latitude, 'longitude', it.longitude), 'radius', it.radius);
  end if;
  return jsonb_build_object('type', 'polygon', 'corners', (
    select jsonb_agg(jsonb_build_object('latitude', c.lat, 'longitude',
      case when c.lon > 180 then c.lon - 360 when c.lon < -180 then c.lon + 360 else c.lon end) order by c.number)
    from unnest(it.corner_latitudes, it.corner_longitudes) with ordinality c (lat, lon, number)));
end $$
