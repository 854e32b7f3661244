-- Stops jobs that wake each other by their own writes: in a chain of sixteen runs no write came from outside. `origin`
-- consists of two digits and the names of the jobs.
create or replace function refuse_origin(origin text) returns text
language plpgsql as $$
begin
  raise exception 'jobs wake each other by what they write, and nothing ends it: %', substr(origin, 4)
    using errcode = 'ZB013',
      hint = 'Nothing of this work stays. Let the job write only what differs, or watch other columns.';
end $$
