-- Reads a number from a client's JSON, and rejects a value whose absolute value exceeds a limit. The number cannot be
-- infinite, because JSON has no infinity.
create or replace function read_number(object jsonb, name text, most double precision)
returns double precision language plpgsql immutable as $$
declare
  value jsonb := object -> name;
begin
  if jsonb_typeof(value) is distinct from 'number' or abs(value::numeric) > most::numeric then
    perform refuse('invalidInput', format('the %s of a shape is no number up to %s: %s', name, most::numeric,
      coalesce(left(value::text, 64), 'nothing')), 'Nothing was changed. Send degrees and metres.');
  end if;
  -- Extremely small values are read as 0, because their product would underflow.
  return case when abs(value::numeric) < 1e-15 then 0 else value::double precision end;
end $$
