-- Derives a member's entries from the ledger, for a week and the following weeks up to the first week without a
-- workout. For speed, record_workout contains a copy of this function's code. Closed boards do not change. The caller
-- must have locked the member's row.
create or replace function derive_entries(of_user text, of_group text, of_week date, at timestamptz)
returns void language plpgsql as $$
declare
  who record;
  boards record;
  new_values record;
  week date := of_week;
begin
  select m.joined_at, m.left_at, u.display_name, u.photo_url, u.shares_workouts,
    s.max_checkins_per_day, s.streak_policy, s.streak_source
  into who
  from member m
  join users u on u.id = m.user_id, setting s
  where m.group_id = of_group and m.user_id = of_user;
  if not found then
    return;
  end if;
  loop
    select * into new_values
    from refresh_week(of_user, of_group, week, who.max_checkins_per_day, who.streak_policy,
      who.streak_source);
    select * into boards from lock_boards(of_group, week);
    if boards.are_open then
      perform write_entries(of_user, who.joined_at, who.display_name, who.photo_url, at,
        array[boards.check_ins_board, boards.streak_board],
        array[new_values.check_ins, new_values.streak],
        array[new_values.check_ins_at, new_values.streak_at],
        not who.shares_workouts
          or coalesce(who.left_at < (week + 7)::timestamp at time zone 'UTC', false));
    end if;
    week := week + 7;
    exit when not exists (
      select from workout_day d
      where d.user_id = of_user and d.group_id = of_group
        and d.local_date between week - 1 and week + 7 and d.week_start = week);
  end loop;
end $$
