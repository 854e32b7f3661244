-- Stops jobs that trigger each other in an endless loop. Callers call the function after sixteen successive runs, each
-- of which was triggered only by a write from the previous one. `origin` contains the length of the chain as two
-- digits, and the names of the jobs.
create or replace function refuse_origin(origin text) returns text
language plpgsql as $$
begin
  raise exception 'jobs wake each other by what they write, and nothing ends it: %', substr(origin, 4)
    using errcode = 'ZB013',
      hint = 'Nothing of this work stays. Let the job write only what differs, or watch other columns.';
end $$
