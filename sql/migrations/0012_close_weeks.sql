-- The end of a week: which boards are due, who was told, and what an operator did.

-- An operator's reopening holds off the close until then.
alter table challenge add reopened_until timestamptz;
-- Boards that are not final, oldest week first.
create index challenge_open on challenge (week_start, group_id) where state = 'open';
-- Final boards, for retention. By group, because a group's boards are closed together and its entries
-- lie beside each other.
create index challenge_final on challenge (week_start, group_id) where state <> 'open';

-- One row a group and week that was closed: whoever inserts it tells the members, nobody again.
create table week_notice (
  group_id text collate "C" not null,
  week_start date not null,
  -- False where nobody was told: no entry, or closed more than 7 days after its end.
  is_told boolean not null,
  closed_at timestamptz not null,
  primary key (group_id, week_start)
);
create index week_notice_age on week_notice (week_start);

-- What operators did to closed weeks.
create table week_reopening (
  id bigint generated always as identity primary key,
  group_id text collate "C" not null,
  week_start date not null,
  reason text not null check (reason <> ''),
  reopened_by text not null,
  reopened_at timestamptz not null,
  reopened_until timestamptz not null
);

-- An occurrence of close-week fires when the grace is over, whatever the grace is set to.
insert into schedule_delay (job, delay) select 'close-week', grace from setting;
create function grace_changed() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  update schedule_delay set delay = new.grace where job = 'close-week';
  return null;
end $$;
create trigger grace_changed after update of grace on setting
for each row execute function grace_changed();

-- A late workout may make a board of a week that is over, after its close has passed by: it wakes
-- the close again.
create function challenge_inserted() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if exists (
    select from new_row n, setting s
    where n.state = 'open' and n.ends_at + s.grace <= domain_now())
  then
    perform append_events('week.overdue', array['scheduled']);
  end if;
  return null;
end $$;
create trigger challenge_inserted after insert on challenge
referencing new table as new_row for each statement execute function challenge_inserted();
insert into event_source (topic, relation, trigger_name)
values ('week.overdue', 'challenge', 'challenge_inserted');

-- Boards that retention removes wake nobody: there is nothing left to rank.
create or replace function entry_deleted() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  boards uuid[] := array(select distinct challenge_id from old_row);
begin
  boards := array(select id from challenge where id = any (boards));
  if boards <> '{}' then
    perform entry_changed(boards, true);
  end if;
  return null;
end $$;

-- Lets the boards of a closed week be corrected for a while; then they are closed again, silently.
create function reopen_week(group_id text, week_start date, reason text, hold interval)
returns integer
language plpgsql set search_path from current as $$
declare
  until constant timestamptz := domain_now() + hold;
  reopened integer;
begin
  if coalesce(trim(reason), '') = '' then
    raise exception 'a week is not reopened without a reason'
      using errcode = 'ZB020', hint = 'Nothing was changed. Say why; it is kept in week_reopening.';
  elsif hold is null or hold <= interval '0' or hold > interval '7 days' then
    raise exception 'a week is reopened for more than nothing and at most 7 days, not for %',
      coalesce(hold::text, 'null')
      using errcode = 'ZB021', hint = 'Nothing was changed. Give the time that the correction takes.';
  end if;
  update challenge c set state = 'open', closed_at = null, reopened_until = until
  where c.group_id = reopen_week.group_id and c.week_start = reopen_week.week_start
    and c.state = 'closed';
  get diagnostics reopened = row_count;
  if reopened = 0 then
    raise exception 'group % has no closed board in the week of %', quote_nullable(group_id),
      week_start
      using errcode = 'ZB022', hint = 'Nothing was changed. `baton week status` lists the weeks.';
  end if;
  insert into week_reopening (group_id, week_start, reason, reopened_by, reopened_at,
    reopened_until)
  values (reopen_week.group_id, reopen_week.week_start, reason, session_user, domain_now(), until);
  return reopened;
end $$;

-- As in 0006_create_record_workout.sql, but for weeks of which nothing is kept: no workout reaches a
-- board of a week that ended 7 days ago, so one that is missing was removed by retention, and an
-- edit of an old workout must not make it again, empty and open.
create or replace function lock_boards(
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
    if (of_week + 14)::timestamp at time zone 'UTC' <= domain_now() then
      are_open := false;
      return;
    end if;
    insert into challenge (id, group_id, week_start, type)
    select challenge_id(of_group, of_week, t), of_group, of_week, t
    from unnest(enum_range(null::challenge_type)) t
    -- Without a constraint: the id follows from the same columns, so two first calls of a week
    -- may meet at either index.
    on conflict do nothing;
    select * into check_ins_board, streak_board, are_open from lock_boards(of_group, of_week);
  end if;
end $$;
