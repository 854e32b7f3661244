-- record_workout itself; what it calls stands in 0005_create_workout_values.sql.
-- Its sessions live long, and a plan made while a table was empty reads all of it when it is not:
-- hence enable_seqscan off, and jit, which its cost would set off; for this function alone.

-- Both boards of a group's week, made if they are missing, locked against a close until the end
-- of the transaction. Check-ins first, always: two calls never wait for each other crosswise.
create function lock_boards(
  of_group text, of_week date,
  out check_ins_board uuid, out streak_board uuid, out are_open boolean
) language plpgsql as $$
declare
  board record;
begin
  are_open := true;
  for board in
    select id, type, state from challenge c
    where c.group_id = of_group and c.week_start = of_week
    order by type
    for key share
  loop
    are_open := are_open and board.state = 'open';
    if board.type = 'check-ins' then
      check_ins_board := board.id;
    else
      streak_board := board.id;
    end if;
  end loop;
  if check_ins_board is null or streak_board is null then
    insert into challenge (id, group_id, week_start, type)
    select challenge_id(of_group, of_week, t), of_group, of_week, t
    from unnest(enum_range(null::challenge_type)) t
    -- Without a constraint: the id follows from the same columns, so two first calls of a week
    -- may meet at either index.
    on conflict do nothing;
    select * into check_ins_board, streak_board, are_open from lock_boards(of_group, of_week);
  end if;
end $$;

-- Writes both entries of one member where they differ. An UPDATE where they exist, so that the
-- insert trigger does not run for nothing on every call.
create function write_entries(
  of_user text, member_joined_at timestamptz, member_name text, member_photo text,
  at timestamptz, boards uuid[], new_values integer[], reached timestamptz[]
) returns void language plpgsql as $$
begin
  if (select count(*) from entry e where e.challenge_id = any (boards) and e.user_id = of_user) = 2
  then
    update entry e
    set value = v.value, reached_at = coalesce(v.reached_at, e.reached_at),
      joined_at = member_joined_at, display_name = member_name, photo_url = member_photo,
      last_updated = case when e.value <> v.value then at else e.last_updated end
    from unnest(boards, new_values, reached) v (board, value, reached_at)
    where e.challenge_id = v.board and e.user_id = of_user
      and (e.value, e.reached_at, e.joined_at)
        is distinct from (v.value, coalesce(v.reached_at, e.reached_at), member_joined_at);
    return;
  end if;
  insert into entry as e (challenge_id, user_id, value, reached_at, joined_at, display_name,
    photo_url, last_updated)
  select v.board, of_user, v.value, v.reached_at, member_joined_at, member_name, member_photo, at
  from unnest(boards, new_values, reached) v (board, value, reached_at)
  where v.value > 0
  on conflict (challenge_id, user_id) do update
  set value = excluded.value, reached_at = excluded.reached_at, joined_at = excluded.joined_at,
    display_name = excluded.display_name, photo_url = excluded.photo_url,
    last_updated = case when e.value <> excluded.value then at else e.last_updated end;
end $$;

create function check_workout_call(user_id text, workout_id text, revision integer) returns void
language plpgsql as $$
begin
  if user_id is null or workout_id is null or octet_length(workout_id) not between 1 and 256
    or workout_id ~ '[\x01-\x1f\x7f]' then
    raise exception 'record_workout needs a user and a workout id of 1 to 256 bytes without control characters'
      using errcode = 'ZB002', hint = 'Nothing was written. Send an id that the client made once for this workout.';
  end if;
  if revision is null or revision < 0 then
    raise exception 'record_workout: revision % is not a number from 0 up', coalesce(revision::text, 'null')
      using errcode = 'ZB002', hint = 'Nothing was written. Send 0 for a new workout, more for an edit.';
  end if;
end $$;

create function record_workout(
  user_id text,
  workout_id text,
  performed_at timestamptz default null,
  utc_offset_s integer default null,
  revision integer default 0
) returns workout_answer
language plpgsql set search_path from current set enable_seqscan = off set jit = off as $$
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
    elsif effective < received - interval '90 days' then
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
    if effective < received - interval '7 days' then
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

comment on function record_workout is
  'Records one workout; every outcome is final. Safe to repeat with the same user and workout id.';

-- Changes the zone in which a user''s streak days are counted; at most once in 24 hours, because
-- a zone that jumps with every workout makes days. Past days keep the date they were given.
create function set_time_zone(user_id text, time_zone text) returns void
language plpgsql set search_path from current as $$
begin
  if not exists (select from pg_timezone_names where name = time_zone) then
    raise exception 'there is no time zone %', quote_nullable(time_zone)
      using errcode = 'ZB003', hint = 'Nothing was changed. Send an IANA name, for example Europe/Athens.';
  end if;
  update users u
  set time_zone = set_time_zone.time_zone, time_zone_changed_at = domain_now()
  where u.id = user_id
    and (u.time_zone_changed_at is null
      or u.time_zone_changed_at <= domain_now() - interval '24 hours');
  if found then
    return;
  elsif exists (select from users u where u.id = user_id) then
    raise exception 'the time zone of user % was changed less than 24 hours ago', quote_literal(user_id)
      using errcode = 'ZB004', hint = 'Nothing was changed. Try again a day after the last change.';
  end if;
  raise exception 'there is no user %', quote_nullable(user_id)
    using errcode = 'ZB001', hint = 'Nothing was changed. Create the user first.';
end $$;
