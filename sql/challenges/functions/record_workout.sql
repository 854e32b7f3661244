-- Records a member's new, late, edited or resent workout. For the lock order, see docs/internals/write-path.md. A plan
-- that is cached while a table is empty would later read the whole table, so enable_seqscan is off. Without sequential
-- scans, high cost estimates would start JIT compilation, so jit is off. Plans are generic, because planning took a
-- seventh of each call's time. The settings also apply to all functions that this function calls, for example the
-- triggers on `entry`.
create or replace function record_workout(
  user_id text,
  workout_id text,
  performed_at timestamptz default null,
  utc_offset_s integer default null,
  revision integer default 0
) returns workout_answer
language plpgsql security definer set search_path from current set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  checked constant boolean := check_sizes(array[octet_length(user_id), octet_length(workout_id)]);
  received constant timestamptz := domain_now();
  effective constant timestamptz := coalesce(record_workout.performed_at, received);
  known workout;
  refused refused_edit;
  refusal text;
  who record;
  boards record;
  new_values record;
  row workout;
  week date;
  last_week date;
  locked_week date;
  has_days boolean;
  looked_again boolean := false;
  is_full boolean;
begin
  perform check_workout_call(user_id, workout_id, revision);
  loop
    -- A retry receives the first response, even if the retry is late.
    select * into known from workout w
    where w.user_id = record_workout.user_id and w.workout_id = record_workout.workout_id;
    if found then
      if revision < known.revision then
        return row('duplicate', null, known.week_start, false)::workout_answer;
      elsif revision = known.revision and not known.is_deleted
        and (known.sent_performed_at, known.sent_utc_offset_s)
        is not distinct from (record_workout.performed_at, record_workout.utc_offset_s) then
        return row(known.outcome, known.reason, known.week_start, true)::workout_answer;
      end if;
      select * into refused from refused_edit r
      where r.user_id = known.user_id and r.workout_id = known.workout_id
        and r.revision = record_workout.revision and not r.is_deletion
        and (r.sent_performed_at, r.sent_utc_offset_s)
          is not distinct from (record_workout.performed_at, record_workout.utc_offset_s);
      if found then
        return row('rejected', refused.reason, refused.week_start, true)::workout_answer;
      elsif revision = known.revision then
        return row('rejected', 'idempotencyConflict', known.week_start, false)::workout_answer;
      elsif has_many_edits(user_id, workout_id) then
        return row('rejected', 'tooManyEdits', known.week_start, false)::workout_answer;
      end if;
    end if;

    -- After this update, only one call per member runs at a time.
    update member m set calls = m.calls + 1
    from active_group a, users u, setting s
    where a.user_id = record_workout.user_id and u.id = a.user_id and u.shares_workouts
      and m.group_id = a.group_id and m.user_id = a.user_id and m.left_at is null
      -- A concurrent update of the user also increases `m.user_version`. If this call waited for such an update, the
      -- value of `u.version` is still the old version, so no row matches.
      and m.user_version <= u.version
    returning m.group_id, m.joined_at, m.has_left, u.display_name, u.photo_url, u.time_zone,
      s.max_checkins_per_day, s.streak_policy, s.streak_source,
      u.has_paused, s.workouts_a_day
    into who;
    if who.group_id is null then
      -- The lock waits for a concurrent deletion of the account.
      select null::identifier as group_id, u.time_zone, u.shares_workouts, true as has_paused,
        (select s.workouts_a_day from setting s) as workouts_a_day,
        exists (
          select from active_group a
          join member m on m.group_id = a.group_id and m.user_id = a.user_id
          where a.user_id = u.id and m.left_at is null) as is_member
      into who
      from users u where u.id = record_workout.user_id for key share of u;
      if not found then
        raise exception 'there is no user %', quote_literal(user_id)
          using errcode = 'ZB001', hint = 'Nothing was written. Create the user before recording workouts.';
      elsif not who.shares_workouts then
        perform count_ignored(received);
        return row('ignoredPrivacy', null, null, false)::workout_answer;
      elsif who.is_member and not looked_again then
        -- A concurrent call has added the user to a group, has enabled sharing again, or has changed the user's row.
        -- The loop starts again once, to read the new rows.
        looked_again := true;
        continue;
      elsif who.is_member then
        raise serialization_failure using
          message = format('user %s changed while a workout was recorded', quote_literal(user_id)),
          hint = 'Nothing was written. Try again.';
      end if;
    end if;

    if utc_offset_s not between -43200 and 50400 then
      return row('rejected', 'utcOffsetOutOfRange', null, false)::workout_answer;
    elsif effective < received - interval '2160 hours' then
      return row('expired', null, null, false)::workout_answer;
    end if;
    row.user_id := user_id;
    row.workout_id := workout_id;
    row.sent_performed_at := record_workout.performed_at;
    row.sent_utc_offset_s := record_workout.utc_offset_s;
    row.revision := revision;
    row.group_id := who.group_id;
    row.performed_at := least(effective, received);
    row.utc_offset_s := coalesce(utc_offset_s, extract(epoch from
      row.performed_at at time zone coalesce(who.time_zone, 'UTC')
      - row.performed_at at time zone 'UTC'));
    row.local_date := row.performed_at at time zone 'UTC' + make_interval(secs => row.utc_offset_s);
    row.week_start := week_of(row.performed_at);
    row.received_at := received;
    row.counted := false;
    row.missed_board := false;
    row.is_deleted := false;
    row.reason := null;
    if who.has_paused then
      -- If a wrong clock has stored a pause with an end in the future, the pause ends now.
      update sharing_pause p set ended_at = received
      where p.user_id = record_workout.user_id and p.ended_at > received + interval '1 minute' and p.began_at <= received;
      -- A workout is never stored if the user did not share workouts when the workout was performed.
      if exists (
        select from sharing_pause p
        where p.user_id = record_workout.user_id and p.began_at <= row.performed_at
          and (p.ended_at is null or row.performed_at < p.ended_at)) then
        perform count_ignored(received);
        return row('ignoredPrivacy', null, null, false)::workout_answer;
      end if;
    end if;
    -- The number of workouts on one date is limited, because each call reads all counted workouts of the date. Deleted
    -- workouts also count toward the limit, because a call can record a deleted workout again. A refused new workout is
    -- not stored.
    is_full := row.local_date is distinct from known.local_date and (
      select count(*) from (
        select from workout w
        where w.user_id = record_workout.user_id and w.local_date = row.local_date
        limit who.workouts_a_day) w) >= who.workouts_a_day;
    if is_full and known.user_id is null then
      return row('rejected', 'tooManyWorkouts', null, false)::workout_answer;
    end if;
    if effective < received - interval '168 hours' then
      row.outcome := 'rejected';
      row.reason := 'tooOld';
    elsif effective > received + interval '5 minutes' then
      row.outcome := 'rejected';
      row.reason := 'futureTimestamp';
    elsif who.group_id is null then
      row.outcome := 'noActiveGroup';
    -- A stored time in the future is ignored, because it was recorded while the clock was wrong.
    elsif effective < who.joined_at and who.joined_at <= received + interval '1 minute' then
      row.outcome := 'notCounted';
      row.reason := 'beforeJoining';
    elsif who.has_left and not exists (
      select from membership i
      where i.group_id = who.group_id and i.user_id = record_workout.user_id
        and (i.joined_at <= effective or i.left_at is null and i.joined_at > received + interval '1 minute')
        and (i.left_at is null or effective < i.left_at))
    then
      row.outcome := 'notCounted';
      row.reason := 'notAMember';
    else
      select * into boards from lock_boards(who.group_id, row.week_start);
      locked_week := row.week_start;
      row.outcome := case when boards.are_open then 'accepted' else 'acceptedLate' end;
      row.counted := true;
      row.missed_board := not boards.are_open;
    end if;

    if known.user_id is not null then
      refusal := case
        when row.outcome = 'rejected' then row.reason
        when is_full then 'tooManyWorkouts'
        when known.group_id is distinct from row.group_id then 'otherGroup'
        -- A workout counts in one week only. If a closed board shows the workout, the workout cannot move to another
        -- week.
        when known.counted and not known.missed_board
          and (known.week_start <> row.week_start or not row.counted)
          and not (select b.are_open from lock_boards(known.group_id, known.week_start) b)
          then 'weekClosed'
      end;
      if refusal is not null then
        insert into refused_edit (user_id, workout_id, revision, sent_performed_at,
          sent_utc_offset_s, reason, week_start)
        values (user_id, workout_id, revision, record_workout.performed_at,
          record_workout.utc_offset_s, refusal, known.week_start)
        on conflict do nothing;
        -- If a concurrent identical call has already stored the refusal, no row is inserted. The loop then starts again
        -- to read the stored refusal.
        continue when not found;
        return row('rejected', refusal, known.week_start, false)::workout_answer;
      end if;
      if row.missed_board and known.counted and known.week_start = row.week_start then
        row.missed_board := known.missed_board;
      end if;
      update workout w
      set sent_performed_at = row.sent_performed_at, sent_utc_offset_s = row.sent_utc_offset_s,
        revision = row.revision, performed_at = row.performed_at, utc_offset_s = row.utc_offset_s,
        local_date = row.local_date, week_start = row.week_start, counted = row.counted,
        outcome = row.outcome, reason = row.reason, received_at = row.received_at,
        missed_board = row.missed_board, is_deleted = false
      where w.user_id = known.user_id and w.workout_id = known.workout_id
        and (w.revision, w.missed_board) = (known.revision, known.missed_board)
        and not exists (
          select from refused_edit r
          where r.user_id = w.user_id and r.workout_id = w.workout_id
            and r.revision = row.revision and not r.is_deletion
            and (r.sent_performed_at, r.sent_utc_offset_s)
              is not distinct from (row.sent_performed_at, row.sent_utc_offset_s));
    else
      insert into workout values (row.*) on conflict do nothing;
    end if;
    -- If a concurrent call has recorded the workout, refused the edit or reopened the week, no row is written, and the
    -- loop starts again.
    exit when found;
  end loop;

  if known.counted then
    perform refresh_day(user_id, known.group_id, known.local_date, known.week_start);
  end if;
  if row.counted then
    perform refresh_day(user_id, row.group_id, row.local_date, row.week_start);
  elsif not coalesce(known.counted, false) then
    return row(row.outcome, row.reason, row.week_start, false)::workout_answer;
  end if;
  -- Entries are derived for this week and the following weeks, up to the first week without a workout. If an edit moves
  -- a workout to another week, weeks in between that have no workout are skipped.
  week := least(
    case when row.counted then row.week_start end, case when known.counted then known.week_start end);
  last_week := greatest(
    case when row.counted then row.week_start end, case when known.counted then known.week_start end);
  loop
    select * into new_values
    from refresh_week(user_id, who.group_id, week, who.max_checkins_per_day, who.streak_policy,
      who.streak_source);
    if week is distinct from locked_week then
      select * into boards from lock_boards(who.group_id, week);
      locked_week := week;
    end if;
    if boards.are_open then
      perform write_entries(user_id, who.joined_at, who.display_name, who.photo_url, received,
        array[boards.check_ins_board, boards.streak_board],
        array[new_values.check_ins, new_values.streak],
        array[new_values.check_ins_at, new_values.streak_at]);
    end if;
    loop
      week := week + 7;
      -- A future week contains no workouts, so the query is skipped.
      has_days := week <= week_of(received);
      if has_days then
        has_days := exists (
          select from workout_day d
          where d.user_id = record_workout.user_id and d.group_id = who.group_id
            and d.local_date between week - 1 and week + 7 and d.week_start = week);
      end if;
      exit when has_days or week >= last_week;
    end loop;
    exit when week > last_week and not has_days;
  end loop;
  return row(row.outcome, row.reason, row.week_start, false)::workout_answer;
end $$;

comment on function record_workout is
  'Records one workout; every outcome is final. Safe to repeat with the same user and workout id.'
