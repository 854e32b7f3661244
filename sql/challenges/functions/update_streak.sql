-- Sets a member's streak for the current week to the value that the client reports. The new value may be lower than the
-- old value. If streaks are derived from the ledger, the call is refused (docs/internals/write-path.md). The number of
-- changes in a week is limited by edits_a_workout. Index: reported_streak_pkey.
create or replace function update_streak(actor text, challenge_id uuid, streak_days integer)
returns workout_answer
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
  at constant timestamptz := domain_now();
  board challenge;
  last_value integer;
  most constant integer := (select s.edits_a_workout from setting s);
begin
  perform require_claim(actor);
  if (select s.streak_source from setting s) = 'ledger' then
    perform refuse('streakIsDerived', 'update_streak: streaks are derived from the workouts here',
      'Nothing was changed. Record workouts; the streak follows from them.');
  elsif streak_days is null or streak_days not between 0 and 3650 then
    perform refuse('invalidInput', format('update_streak: %s is no number of days from 0 to 3650',
      coalesce(streak_days::text, 'null')),
      'Nothing was changed. Send the length of the streak in days.');
  end if;
  board := check_board_call(actor, challenge_id, 'streak');
  -- The update locks the member's row, so only one call per member runs at a time. The user's row is read after the
  -- update, because a concurrent call may have changed `shares_workouts`.
  update member m set calls = m.calls + 1
  where m.group_id = board.group_id and m.user_id = actor and m.left_at is null;
  if not found then
    perform refuse('notAMember', format('user %s left the group of challenge %s',
      quote_literal(actor), challenge_id),
      'Nothing was changed. Join the group first.');
  elsif not (select u.shares_workouts from users u where u.id = actor) then
    perform count_ignored(at);
    return row('ignoredPrivacy', null, null, false)::workout_answer;
  end if;
  select r.streak_days into last_value
  from reported_streak r
  where r.user_id = actor and r.group_id = board.group_id and r.week_start = board.week_start
  order by r.id desc
  limit 1;
  if last_value is distinct from streak_days then
    -- Each changed streak stores a row, so the number of changes is limited like the edits of a workout.
    if (
      select count(*) from (
        select from reported_streak r
        where r.user_id = actor and r.group_id = board.group_id and r.week_start = board.week_start
        limit most) r) >= most
    then
      return row('rejected', 'tooManyEdits', board.week_start, false)::workout_answer;
    end if;
    insert into reported_streak (user_id, group_id, week_start, streak_days, reported_at)
    values (actor, board.group_id, board.week_start, update_streak.streak_days, at);
    perform derive_entries(actor, board.group_id, board.week_start, at);
  end if;
  return row('accepted', null, board.week_start, last_value is not distinct from streak_days)
    ::workout_answer;
end $$;

comment on function update_streak is
  'Sets the streak of the actor where streaks are reported. Safe to repeat.'
