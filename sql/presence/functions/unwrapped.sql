-- Returns the longitudes of corners, shifted so that each longitude is less than 180 degrees from the previous
-- longitude. If the polygon crosses the date line, some longitudes exceed 180 degrees.
create or replace function unwrapped(longitudes double precision[]) returns double precision[]
language plpgsql immutable as $$
declare
  number integer;
begin
  for number in 2 .. cardinality(longitudes) loop
    longitudes[number] := longitudes[number]
      - 360 * round((longitudes[number] - longitudes[number - 1]) / 360);
  end loop;
  return longitudes;
end $$
