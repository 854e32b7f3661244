-- Returns the users at places, and each viewer's own presence, in one snapshot. The result has one row for each place,
-- then one row for each viewer who has ever been at the place. The refused_viewers function returns the viewers who may
-- not read the rows. Absent users who are not viewers are omitted, because a popular place has thousands of past
-- visitors. The function uses scalar subqueries and limits, because for a join the planner might read whole tables.
-- Index: groups_pkey, group_summary_pkey, presence_present, presence_pkey.
-- needs: place_json
create or replace function observed_presences(of_groups text[], viewers text[], viewer_groups text[])
returns table (
  number bigint, version bigint, local_date date, place jsonb,
  viewer bigint, is_present boolean, source text, since timestamptz, deadline timestamptz, own_version bigint,
  changed_at timestamptz
)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select o.number, coalesce((select s.version from group_summary s where s.group_id = o.group_id), 0),
    (domain_now() at time zone (g.it).time_zone)::date,
    place_json(g.it, (select s from group_summary s where s.group_id = o.group_id)),
    null::bigint, null::boolean, null::text, null::timestamptz, null::timestamptz, null::bigint, null::timestamptz
  from unnest(of_groups) with ordinality o (group_id, number)
  cross join lateral (select it from groups it where it.id = o.group_id limit 1) g;
  return query
  select null::bigint, null::bigint, null::date, null::jsonb,
    v.number, p.is_present, p.source::text, p.since, p.deadline, p.version, p.changed_at
  from unnest(viewers, viewer_groups) with ordinality v (user_id, group_id, number)
  cross join lateral (
    select * from presence it where it.group_id = v.group_id and it.user_id = v.user_id limit 1) p;
end $$;

comment on function observed_presences is 'Who is at places, and the own presences of their viewers.'
