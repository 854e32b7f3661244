-- Lengths of time are hours. A day of an interval follows the clocks of the session's time zone, 23 or 25
-- hours where they change: one call had two answers, and a notice was there for one reader and gone for
-- another. Nothing here follows DateStyle, IntervalStyle or standard_conforming_strings either.

-- The same length without days and months: 24 hours and 30 days.
create function in_seconds(length interval) returns interval
language sql immutable parallel safe
return make_interval(secs => extract(epoch from length)::double precision);

-- What a recipient may see; as in 0018_write_less_at_close.sql.
create or replace view visible_notification as
select slot, created_at, id, user_id, group_id, type, challenge_id,
  case when type = 'week_ended' then coalesce((
      select w.content from week_notice w
      where w.group_id = n.group_id
        and w.week_start = coalesce(n.week_start, (n.content ->> 'week_start')::date)), '{}')
    || case when scores is null then content else week_ended_content(week_start, scores) end
    else content end as content,
  is_read, changed_at
from notification n
where created_at > domain_now() - interval '168 hours';

-- As in 0020_take_notices_with_standings.sql.
drop trigger standing_deleted on standing;
create trigger standing_deleted after delete on standing for each row
when (old.notice_id is not null and old.notice_created_at > domain_now() - interval '168 hours')
execute function standing_deleted();

-- As in 0012_close_weeks.sql.
create or replace function challenge_inserted() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if exists (
    select from new_row n, setting s
    where n.state = 'open' and n.ends_at + in_seconds(s.grace) <= domain_now())
  then
    perform append_events('week.overdue', array['scheduled']);
  end if;
  return null;
end $$;

-- As in 0018_write_less_at_close.sql. By a timestamp, because a date is made an instant of the session's
-- time zone first.
create or replace function week_ended_content(week_start date, scores integer[]) returns jsonb
language sql stable
return jsonb_build_object(
  'week_start', week_start,
  'message', to_char(week_start::timestamp, '"Week "FMIW" has ended"')
    || case when scores[1] is null and scores[4] is null then '. See who won.'
      else ': you came ' || concat_ws(' and ', '#' || scores[1] || ' in check-ins',
        '#' || scores[4] || ' in streak') || '.' end,
  'you', case when scores[1] is null and scores[4] is null then '{}'
    else jsonb_build_object(
      'check-ins', jsonb_build_object('rank', scores[1], 'value', scores[2],
        'previous_rank', case when scores[1] is not null then scores[3] end),
      'streak', jsonb_build_object('rank', scores[4], 'value', scores[5],
        'previous_rank', case when scores[4] is not null then scores[6] end)) end);

-- As in 0012_close_weeks.sql.
create or replace function reopen_week(group_id text, week_start date, reason text, hold interval)
returns integer
language plpgsql set search_path from current as $$
declare
  until constant timestamptz := domain_now() + in_seconds(hold);
  reopened integer;
begin
  if coalesce(trim(reason), '') = '' then
    raise exception 'a week is not reopened without a reason'
      using errcode = 'ZB020', hint = 'Nothing was changed. Say why; it is kept in week_reopening.';
  elsif hold is null or hold <= interval '0' or hold > interval '7 days' then
    raise exception 'a week is reopened for more than nothing and at most 7 days, not for % seconds',
      coalesce(extract(epoch from hold)::text, 'null')
      using errcode = 'ZB021', hint = 'Nothing was changed. Give the time that the correction takes.';
  end if;
  update challenge c set state = 'open', closed_at = null, reopened_until = until
  where c.group_id = reopen_week.group_id and c.week_start = reopen_week.week_start
    and c.state = 'closed';
  get diagnostics reopened = row_count;
  if reopened = 0 then
    raise exception 'group % has no closed board in the week of %', quote_nullable(group_id),
      to_char(week_start::timestamp, 'YYYY-MM-DD')
      using errcode = 'ZB022', hint = 'Nothing was changed. `baton week status` lists the weeks.';
  end if;
  insert into week_reopening (group_id, week_start, reason, reopened_by, reopened_at,
    reopened_until)
  values (reopen_week.group_id, reopen_week.week_start, reason, session_user, domain_now(), until);
  return reopened;
end $$;

-- As in 0008_limit_texts_and_silence.sql. Without the E a session may read \x01 as one character.
create or replace function check_workout_call(user_id text, workout_id text, revision integer)
returns void language plpgsql as $$
begin
  if user_id is null or octet_length(user_id) > 256 or workout_id is null
    or octet_length(workout_id) not between 1 and 256 or workout_id ~ e'[\\x01-\\x1f\\x7f]' then
    raise exception 'record_workout needs a user and a workout id of 1 to 256 bytes without control characters'
      using errcode = 'ZB002', hint = 'Nothing was written. Send an id that the client made once for this workout.';
  end if;
  if revision is null or revision < 0 then
    raise exception 'record_workout: revision % is not a number from 0 up', coalesce(revision::text, 'null')
      using errcode = 'ZB002', hint = 'Nothing was written. Send 0 for a new workout, more for an edit.';
  end if;
end $$;

create or replace function enqueue(job text, key text, payload jsonb default null) returns void
language plpgsql set search_path from current as $$
declare
  slot smallint := (select current from event_slot);
begin
  if not exists (select from job j where j.name = enqueue.job) then
    raise exception 'there is no job %', quote_nullable(left(job, 64))
      using errcode = 'ZB005', hint = 'Nothing was enqueued. `baton jobs` lists the jobs.';
  end if;
  if key is null or octet_length(key) not between 1 and 256 or key ~ e'[\\x01-\\x1f\\x7f]' then
    raise exception 'a key has 1 to 256 bytes and no control characters'
      using errcode = 'ZB006', hint = 'Nothing was enqueued. Give the key of one run.';
  end if;
  -- Every claim, retry and merge carries it along.
  if pg_column_size(payload) > 1048576 then
    raise exception 'a payload has at most 1 MiB; this one has % bytes', pg_column_size(payload)
      using errcode = 'ZB007', hint = 'Nothing was enqueued. Keep the data in a table and give its id.';
  end if;
  if slot = 0 then
    insert into event_0 (topic, key, payload) values ('enqueue/' || job, key, payload);
  elsif slot = 1 then
    insert into event_1 (topic, key, payload) values ('enqueue/' || job, key, payload);
  else
    insert into event_2 (topic, key, payload) values ('enqueue/' || job, key, payload);
  end if;
end $$;

-- As in 0006_create_record_workout.sql, with the setting of 0014_keep_plans.sql.
create or replace function record_workout(
  user_id text,
  workout_id text,
  performed_at timestamptz default null,
  utc_offset_s integer default null,
  revision integer default 0
) returns workout_answer
language plpgsql set search_path from current set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  received constant timestamptz := domain_now();
  effective constant timestamptz := coalesce(record_workout.performed_at, received);
  known workout;
  who record;
  boards record;
  new_values record;
  row workout;
  week date;
  last_week date;
  locked_week date;
begin
  perform check_workout_call(user_id, workout_id, revision);
  loop
    -- A retry gets its first answer, before any other test and however late.
    select * into known from workout w
    where w.user_id = record_workout.user_id and w.workout_id = record_workout.workout_id;
    if found and revision <= known.revision then
      if (known.sent_performed_at, known.sent_utc_offset_s)
        is not distinct from (record_workout.performed_at, record_workout.utc_offset_s) then
        return row(known.outcome, known.reason, known.week_start, true)::workout_answer;
      end if;
      return row('rejected', 'idempotencyConflict', known.week_start, false)::workout_answer;
    end if;

    -- From here on, one call of a member at a time.
    update member m set calls = m.calls + 1
    from active_group a, users u, setting s
    where a.user_id = record_workout.user_id and u.id = a.user_id and u.shares_workouts
      and m.group_id = a.group_id and m.user_id = a.user_id and m.left_at is null
    returning m.group_id, m.joined_at, u.display_name, u.photo_url, u.time_zone,
      s.max_checkins_per_day
    into who;
    if who.group_id is null then
      select null::identifier as group_id, u.time_zone, u.shares_workouts into who
      from users u where u.id = record_workout.user_id;
      if not found then
        raise exception 'there is no user %', quote_literal(user_id)
          using errcode = 'ZB001', hint = 'Nothing was written. Create the user before recording workouts.';
      elsif not who.shares_workouts then
        return row('ignoredPrivacy', null, null, false)::workout_answer;
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
    row.reason := null;
    if effective < received - interval '168 hours' then
      row.outcome := 'rejected';
      row.reason := 'tooOld';
    elsif effective > received + interval '5 minutes' then
      row.outcome := 'rejected';
      row.reason := 'futureTimestamp';
    elsif who.group_id is null then
      row.outcome := 'noActiveGroup';
    elsif effective < who.joined_at then
      row.outcome := 'notCounted';
      row.reason := 'beforeJoining';
    else
      select * into boards from lock_boards(who.group_id, row.week_start);
      locked_week := row.week_start;
      row.outcome := case when boards.are_open then 'accepted' else 'acceptedLate' end;
      row.counted := true;
    end if;

    if known.user_id is not null then
      if row.outcome = 'rejected' or known.group_id is distinct from row.group_id then
        return row('rejected', coalesce(row.reason, 'otherGroup'), known.week_start, false)::workout_answer;
      end if;
      -- A workout counts in one week: what a closed board shows cannot move to an open one.
      if known.outcome = 'accepted' and known.week_start <> row.week_start
        and not (select b.are_open from lock_boards(known.group_id, known.week_start) b) then
        return row('rejected', 'weekClosed', known.week_start, false)::workout_answer;
      end if;
      update workout w
      set sent_performed_at = row.sent_performed_at, sent_utc_offset_s = row.sent_utc_offset_s,
        revision = row.revision, performed_at = row.performed_at, utc_offset_s = row.utc_offset_s,
        local_date = row.local_date, week_start = row.week_start, counted = row.counted,
        outcome = row.outcome, reason = row.reason, received_at = row.received_at
      where w.user_id = known.user_id and w.workout_id = known.workout_id
        and w.revision = known.revision;
    else
      insert into workout values (row.*) on conflict do nothing;
    end if;
    -- Not found: the same key was recorded while this call waited. Begin again.
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
  -- The week itself and, because streaks are carried over, those behind it without a gap.
  week := least(
    case when row.counted then row.week_start end, case when known.counted then known.week_start end);
  last_week := greatest(row.week_start, known.week_start);
  loop
    select * into new_values
    from refresh_week(user_id, who.group_id, week, who.max_checkins_per_day);
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
    week := week + 7;
    exit when week > last_week and not exists (
      select from workout_day d
      where d.user_id = record_workout.user_id and d.group_id = who.group_id
        and d.local_date between week - 1 and week + 7 and d.week_start = week);
  end loop;
  return row(row.outcome, row.reason, row.week_start, false)::workout_answer;
end $$;
