-- Returns the actor's achievements, oldest first. Each achievement has the points that it had when it was unlocked.
-- Index: unlock_pkey.
create or replace function earned_achievements(actor text)
returns table (type text, unlocked_at timestamptz, points integer, is_new boolean)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  return query
  select u.achievement, u.unlocked_at, u.points, u.seen_at is null
  from unlock u
  join achievement a on a.type = u.achievement
  where u.user_id = actor
  order by u.unlocked_at, a.place;
end $$;

comment on function earned_achievements is 'What the actor has achieved, oldest first.'
