-- Returns both boards of a group's week, and locks them so that they cannot be closed until the transaction ends. The
-- function creates missing boards. The check-in board is always locked first, so that two calls never deadlock. If the
-- week ended at least 7 days ago, the function does not create boards. An edit to an old workout must not create an
-- empty open board again.
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
    -- Concurrent first calls in a week may conflict on either unique index, so ON CONFLICT does not name a constraint.
    on conflict do nothing;
    select * into check_ins_board, streak_board, are_open from lock_boards(of_group, of_week);
  end if;
end $$
