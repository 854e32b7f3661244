-- Reopens a closed week's boards for a limited time, so that they can be corrected. When the time limit has passed, the
-- boards are closed again without notifications. The function appends an event, so that the close-week job schedules
-- this close. The function derives the entries of both boards from the ledger, so workouts that were received after the
-- close now count. Operators call the function manually, so every call is recorded in the audit log.
-- docs/gymrats/weeks.md describes the locks and interleavings.
create or replace function reopen_week(group_id text, week_start date, reason text, hold interval)
returns integer
language plpgsql security definer set search_path from current as $$
declare
  at constant timestamptz := domain_now();
  until constant timestamptz := at + in_seconds(hold);
  was_closed_at timestamptz;
  reopened integer;
  boards record;
  who record;
  new_values record;
begin
  perform require_read_committed();
  if coalesce(trim(reason), '') = '' then
    raise exception 'a week is not reopened without a reason'
      using errcode = 'ZB020', hint = 'Nothing was changed. Say why; it is kept in week_reopening.';
  elsif hold is null or hold <= interval '0' or hold > interval '7 days' then
    raise exception 'a week is reopened for more than nothing and at most 7 days, not for % seconds',
      coalesce(extract(epoch from hold)::text, 'null')
      using errcode = 'ZB021', hint = 'Nothing was changed. Give the time that the correction takes.';
  end if;
  -- The locks wait for calls that are recording a workout. The rows are locked in a fixed order, so that two reopenings
  -- do not deadlock.
  perform from member m where m.group_id = reopen_week.group_id order by m.user_id for update;
  select max(c.closed_at) into was_closed_at from challenge c
  where c.group_id = reopen_week.group_id and c.week_start = reopen_week.week_start
    and c.state = 'closed';
  update challenge c set state = 'open', closed_at = null, reopened_until = until
  where c.group_id = reopen_week.group_id and c.week_start = reopen_week.week_start
    and c.state = 'closed';
  get diagnostics reopened = row_count;
  if reopened = 0 then
    raise exception 'group % has no closed board in the week of %', quote_nullable(group_id),
      to_char(week_start::timestamp, 'YYYY-MM-DD')
      using errcode = 'ZB022', hint = 'Nothing was changed. `gymrats week status` lists the weeks.';
  end if;
  insert into week_reopening (group_id, week_start, reason, reopened_by, closed_at, reopened_at,
    reopened_until)
  values (reopen_week.group_id, reopen_week.week_start, reason, session_user, was_closed_at, at, until);
  perform append_events('week.overdue', array['scheduled']);

  select * into boards from lock_boards(group_id, week_start);
  for who in
    select m.user_id, m.joined_at, u.display_name, u.photo_url, s.max_checkins_per_day,
      s.streak_policy, s.streak_source,
      not u.shares_workouts
        or coalesce(m.left_at < (reopen_week.week_start + 7)::timestamp at time zone 'UTC', false)
        as is_away
    from member m
    join users u on u.id = m.user_id, setting s
    where m.group_id = reopen_week.group_id and boards.are_open
    order by m.user_id
  loop
    update workout w set missed_board = false
    where w.user_id = who.user_id and w.counted and w.missed_board
      and w.local_date between reopen_week.week_start - 1 and reopen_week.week_start + 7
      and w.group_id = reopen_week.group_id and w.week_start = reopen_week.week_start;
    select * into new_values
    from refresh_week(who.user_id, group_id, week_start, who.max_checkins_per_day,
      who.streak_policy, who.streak_source);
    -- The closed board did not show entries with the value 0. These entries are now hidden if the member is away
    -- (`is_away`), and visible otherwise.
    update entry e set hidden = who.is_away
    where e.challenge_id in (boards.check_ins_board, boards.streak_board)
      and e.user_id = who.user_id and e.value = 0 and e.hidden <> who.is_away;
    perform write_entries(who.user_id, who.joined_at, who.display_name, who.photo_url, at,
      array[boards.check_ins_board, boards.streak_board],
      array[new_values.check_ins, new_values.streak],
      array[new_values.check_ins_at, new_values.streak_at],
      -- The last argument applies only to new entries.
      who.is_away);
  end loop;
  -- The audit log is written last, because its lock must be acquired last.
  perform record_audit('week reopen', jsonb_build_object('group', group_id, 'week', week_start),
    jsonb_build_object('state', 'closed', 'closed_at', iso_text(was_closed_at)),
    jsonb_build_object('state', 'open', 'boards', reopened, 'reopened_until', iso_text(until),
      'reason', left(reason, 500)));
  return reopened;
end $$
