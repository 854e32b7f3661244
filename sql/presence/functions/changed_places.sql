-- Returns the positions, in the given arrays, of the observed places that must be read again. A place must be read
-- again if the summary or the date changed, or if the place has not been read yet. The parameters are the groups, the
-- known versions of the groups' summaries (null before the first read), and the groups' dates. Each group is read
-- separately, because the planner may read whole tables for a join. The function needs no actor, because it returns
-- only positions in the arrays. Index: group_summary_pkey, groups_pkey.
create or replace function changed_places(of_groups text[], versions bigint[], dates text[])
returns table (number bigint)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select o.number
  from unnest(of_groups, versions, dates) with ordinality o (group_id, version, local_date, number)
  where o.version is distinct from coalesce((
      select s.version from group_summary s where s.group_id = o.group_id), 0)
    or o.local_date::date is distinct from (
      select (domain_now() at time zone g.time_zone)::date from groups g where g.id = o.group_id);
end $$;

comment on function changed_places is 'Which of the places that are observed have to be read again.'
