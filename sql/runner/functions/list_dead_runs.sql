-- Returns at most 51 dead runs, newest first, for roles that may not read keys and errors. Keys and errors are
-- redacted. `of_job` is the job, `of_group` is the name of a group, and `beginning` is a prefix of the redacted key. A
-- null parameter applies no filter. The next page starts after the id `after_id`. No index contains redacted keys or
-- groups. A search by prefix or group therefore compares at most 20,000 dead runs, starting after `after_id`. Index:
-- dead_run_pkey.
-- needs: redacted, whole_words, dead_group
create or replace function list_dead_runs(of_job text, of_group text, beginning text, after_id bigint)
returns table (id bigint, job text, key text, attempt integer, at timestamptz, first_event_at timestamptz,
  error text)
language sql stable security definer set search_path from current as $$
select d.id, d.job, redacted(d.key), d.attempt, d.died_at, d.first_event_at,
  left(redacted(whole_words(d.error, 2000)), 500)
from (
  select * from dead_run n
  where n.id < coalesce(after_id, 9223372036854775807) and (of_job is null or n.job = of_job)
  order by n.id desc
  limit case when of_group is null and beginning is null then 51 else 20000 end) d
where (of_group is null or dead_group(d.error) = of_group)
  and (beginning is null or starts_with(redacted(d.key), beginning))
order by d.id desc
limit 51
$$
