-- A number of a client's JSON that is at most so far from 0; refuses what is none. JSON has no infinity.
create or replace function read_number(object jsonb, name text, most double precision)
returns double precision language plpgsql immutable as $$
declare
  value jsonb := object -> name;
begin
  if jsonb_typeof(value) is distinct from 'number' or abs(value::numeric) > most::numeric then
    perform refuse('invalidInput', format('the %s of a shape is no number up to %s: %s', name, most::numeric,
      coalesce(left(value::text, 64), 'nothing')), 'Nothing was changed. Send degrees and metres.');
  end if;
  -- What is nearer to 0 than anything on the Earth would be too small for a product of two.
  return case when abs(value::numeric) < 1e-15 then 0 else value::double precision end;
end $$
