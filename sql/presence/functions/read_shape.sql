-- Converts a client's shape to the columns of a group, and rejects an invalid shape. Example of a circle:
-- {"type":"circle","center": {"latitude":52.5,"longitude":13.4},"radius":100}. Example of a polygon:
-- {"type":"polygon","corners":[{"latitude":..,"longitude":..},...]}.
create or replace function read_shape(
  shape jsonb, out latitude double precision, out longitude double precision, out radius double precision,
  out corner_latitudes double precision[], out corner_longitudes double precision[]
) language plpgsql immutable as $$
declare
  corners jsonb;
begin
  case shape ->> 'type'
    when 'circle' then
      latitude := read_number(shape -> 'center', 'latitude', 90);
      longitude := read_number(shape -> 'center', 'longitude', 180);
      radius := read_number(shape, 'radius', 50000);
      if radius < 25 then
        perform refuse('invalidInput', format('a radius of %s m is too small', radius::numeric),
          'Nothing was changed. Send 25 to 50000 metres.');
      end if;
    when 'polygon' then
      corners := shape -> 'corners';
      if jsonb_typeof(corners) is distinct from 'array' or jsonb_array_length(corners) not between 3 and 100 then
        perform refuse('invalidInput', 'a polygon has 3 to 100 corners',
          'Nothing was changed. Send fewer of them, or a circle.');
      end if;
      select array_agg(read_number(c.value, 'latitude', 90) order by c.number),
        array_agg(read_number(c.value, 'longitude', 180) order by c.number)
      into corner_latitudes, corner_longitudes
      from jsonb_array_elements(corners) with ordinality c (value, number);
      corner_longitudes := unwrapped(corner_longitudes);
      perform check_polygon(corner_latitudes, corner_longitudes);
      select (min(lat) + max(lat)) / 2, (min(lon) + max(lon)) / 2 into latitude, longitude
      from unnest(corner_latitudes, corner_longitudes) c (lat, lon);
      -- As in shape_json, a remainder would not be exact, and could be less than -180.
      longitude := case when longitude > 180 then longitude - 360 when longitude < -180 then longitude + 360
        else longitude end;
    else
      perform refuse('invalidInput', 'the shape of a group is a circle or a polygon',
        'Nothing was changed. Send one of them, with its type.');
  end case;
end $$
