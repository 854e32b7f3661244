-- Moves the statistics and achievements of a merged user to an account. The function adds the counters of both users.
-- Counting the visits again would give too low a number, because old visits may have been deleted. Adjacent or
-- overlapping streaks of both users become one streak. If both users have an achievement, the earlier unlock and its
-- points are kept. Locks: the statistics of both users. Index: user_stats_pkey, visit_streak_pkey.
-- needs: hold_stats
create or replace function merge_stats(gone text, account text) returns void
language plpgsql as $$
declare
  united datemultirange;
begin
  perform hold_stats(array[gone, account]);
  united := (
    select range_agg(daterange(v.begins, v.ends, '[]')) from visit_streak v where v.user_id in (gone, account));
  delete from visit_streak v where v.user_id in (gone, account);
  insert into visit_streak (user_id, begins, ends)
  select account, lower(u.dates), upper(u.dates) - 1 from unnest(united) u (dates);
  update user_stats s
  set check_ins = s.check_ins + g.check_ins, first_arrivals = s.first_arrivals + g.first_arrivals,
    groups_visited = s.groups_visited + g.groups_visited, longest_stay = greatest(s.longest_stay, g.longest_stay),
    longest_streak = greatest(s.longest_streak, g.longest_streak, (
      select max(v.ends - v.begins) + 1 from visit_streak v where v.user_id = account)),
    messages_sent = s.messages_sent + g.messages_sent
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
end $$
