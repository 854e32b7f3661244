-- Applies the board fence, and appends events for entries whose watched columns changed. In entries of closed boards,
-- only the user's id and name may change, because a deleted account must disappear. FULL JOIN also finds entries that
-- moved to another board. The function body contains copies of the code from fence_boards and append_events, to save
-- function calls in record_workout (docs/internals/performance.md).
create or replace function entry_updated() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  boards uuid[];
  fence boolean;
  is_renamed boolean;
  board record;
  locked integer := 0;
  segment smallint;
  waking bigint;
begin
  select array_agg(distinct challenge_id),
    bool_or((n.value, n.reached_at, n.joined_at, n.hidden)
      is distinct from (o.value, o.reached_at, o.joined_at, o.hidden)),
    bool_or(o.user_id is null and n.user_id like 'former-%')
  into boards, fence, is_renamed
  from new_row n
  full join old_row o using (challenge_id, user_id)
  where (n.value, n.reached_at, n.joined_at, n.hidden, n.display_name, n.photo_url, n.last_updated)
    is distinct from
    (o.value, o.reached_at, o.joined_at, o.hidden, o.display_name, o.photo_url, o.last_updated);
  if boards is null then
    return null;
  end if;
  if is_renamed then
    -- If delete_account changes only the id, the name and the photo in an entry, the board does not count as changed.
    fence := exists (
      select challenge_id, value, reached_at, joined_at, hidden from new_row
      except all
      select challenge_id, value, reached_at, joined_at, hidden from old_row);
  end if;
  if fence then
    for board in
      select id, state from challenge where id = any (boards) order by id for key share
    loop
      if board.state <> 'open' then
        raise exception 'board % is closed: its entries can no longer change', board.id
          using errcode = 'ZB010', hint = 'Nothing was written. Do not try this again.';
      end if;
      locked := locked + 1;
    end loop;
    if locked < cardinality(boards) then
      raise foreign_key_violation using message = 'an entry needs a challenge that is there',
        hint = 'Nothing was written. record_workout makes the boards of a week.';
    end if;
  end if;
  select current, wake_key into segment, waking from event_target;
  if segment = 0 then
    insert into event_0 (topic, key) select tg_argv[0], b from unnest(boards) b;
  elsif segment = 1 then
    insert into event_1 (topic, key) select tg_argv[0], b from unnest(boards) b;
  else
    insert into event_2 (topic, key) select tg_argv[0], b from unnest(boards) b;
  end if;
  if pg_try_advisory_xact_lock(waking) then
    perform notify_workers(waking);
  end if;
  return null;
end $$
