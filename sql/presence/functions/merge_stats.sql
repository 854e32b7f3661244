-- Moves the statistics and achievements of a merged user to an account, which already has the user's visits. If both
-- have an achievement, the earlier unlock and its points are used. Locks: the statistics of both users.
create or replace function merge_stats(gone text, account text) returns void
language plpgsql as $$
begin
  perform hold_stats(array[gone, account]);
  update user_stats s
  set messages_sent = s.messages_sent + g.messages_sent
  from user_stats g
  where s.user_id = account and g.user_id = gone;
  insert into unlock as u (user_id, achievement, unlocked_at, points, seen_at)
  select account, g.achievement, g.unlocked_at, g.points, g.seen_at
  from unlock g
  where g.user_id = gone
  on conflict (user_id, achievement) do update
  set unlocked_at = least(u.unlocked_at, excluded.unlocked_at),
    points = case when excluded.unlocked_at < u.unlocked_at then excluded.points else u.points end,
    seen_at = coalesce(u.seen_at, excluded.seen_at);
  delete from user_stats s where s.user_id = gone;
  perform count_stats(account);
end $$
