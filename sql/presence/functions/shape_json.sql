-- Returns the shape of a group in the JSON format of clients. Numbers have full precision, regardless of the session's
-- settings.
create or replace function shape_json(it groups) returns jsonb
language plpgsql stable set extra_float_digits to 1 as $$
begin
  if it.radius is not null then
    return jsonb_build_object('type', 'circle', 'center',
      jsonb_build_object('latitude', it.latitude, 'longitude', it.longitude), 'radius', it.radius);
  end if;
  return jsonb_build_object('type', 'polygon', 'corners', (
    select jsonb_agg(jsonb_build_object('latitude', c.lat,
      'longitude', c.lon - 360 * floor((c.lon + 180) / 360)) order by c.number)
    from unnest(it.corner_latitudes, it.corner_longitudes) with ordinality c (lat, lon, number)));
end $$
