-- Groups the 20,000 most recent dead runs by job and by the error's first line, for roles that may not read errors.
-- First lines that differ only in numbers, ids or email addresses belong to the same group. The largest groups are
-- returned first.
-- needs: dead_line, dead_group
create or replace function group_dead_runs()
returns table (name text, job text, line text, runs bigint, newest_at timestamptz, oldest_at timestamptz,
  newest_run bigint)
language sql stable security definer set search_path from current as $$
select left(encode(sha256(convert_to(line, 'UTF8')), 'hex'), 16), job, line, count(*), max(died_at),
  min(died_at), max(id)
from (
  select id, job, died_at, dead_line(error) as line
  from (select * from dead_run order by id desc limit 20000) newest) lined
group by job, line
order by count(*) desc, max(id) desc
limit 200
$$
