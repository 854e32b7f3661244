-- Returns a published board of one of the actor's groups, ordered by position. If setting.include_zero is true, the
-- result also contains members without a workout.
create or replace function leaderboard(actor text, challenge_id uuid)
returns table ("position" integer, rank integer, user_id text, display_name text, photo_url text,
  value integer, last_updated timestamptz, is_actor boolean, rank_version bigint)
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
  of_group text;
begin
  perform require_actor(actor);
  select c.group_id into of_group from challenge c where c.id = leaderboard.challenge_id;
  if not found then
    perform refuse('challengeNotFound', format('there is no challenge %s',
      coalesce(leaderboard.challenge_id::text, 'null')),
      'Nothing was read. current_week_challenges has those of this week.');
  end if;
  perform require_member(actor, of_group);
  return query
  select s.position, s.rank, s.user_id::text, s.display_name, s.photo_url, s.value, s.last_updated,
    s.user_id = actor, v.rank_version
  from leaderboard s
  join board_version v on v.challenge_id = s.challenge_id
  where s.challenge_id = leaderboard.challenge_id
  order by s.position;
end $$;

comment on function leaderboard(text, uuid) is 'A board as it is published, by position.'
