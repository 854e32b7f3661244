-- Returns the actor's progress toward each achievement, in catalog order. Index: user_stats_pkey, achievement_place.
-- needs: counted
create or replace function achievement_progress(actor text)
returns table (type text, value bigint, goal bigint)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  return query
  select a.type, coalesce(counted(s, a.counter), 0), a.goal
  from achievement a
  left join user_stats s on s.user_id = actor
  order by a.place;
end $$;

comment on function achievement_progress is 'How far the actor has come with each achievement.'
