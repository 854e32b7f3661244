-- Returns the users at the places, and the presences of all users who were ever at one of the places. Only servers
-- from before observed_presences call the function, so the next release removes it. Index: groups_pkey,
-- group_summary_pkey, presence_pkey.
-- needs: place_json
create or replace function observed_places(of_groups text[])
returns table (number bigint, version bigint, local_date date, place jsonb, absent jsonb)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select o.number, coalesce(s.version, 0), (domain_now() at time zone g.time_zone)::date, place_json(g, s), coalesce((
    select jsonb_agg(presence_json(p)) from presence p where p.group_id = g.id and not p.is_present), '[]')
  from unnest(of_groups) with ordinality o (group_id, number)
  join groups g on g.id = o.group_id
  left join group_summary s on s.group_id = g.id;
end $$;

comment on function observed_places is 'Who is at places, for all who observe them.'
