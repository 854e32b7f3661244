-- Returns the longitudes of corners, each less than 180 degrees from the previous one. If the polygon crosses the date
-- line, the longitudes exceed 180 degrees.
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
