-- The triggers on entry: the fence of a closed board, and one event for each board that changed.
-- Statement triggers with transition tables, three because PostgreSQL 15 allows one event each.

-- Locks the boards against a close and refuses when one is closed. FOR KEY SHARE, because a
-- stronger lock would wait for publishers; in id order; a caller that waited sees the new state.
-- A loop, not a condition on a subquery: the planner moves that below the lock, which then locks
-- nothing that the snapshot sees as open.
create function fence_boards(boards uuid[]) returns void
language plpgsql as $$
declare
  board record;
begin
  for board in
    select id, state from challenge where id = any (boards) order by id for key share
  loop
    if board.state <> 'open' then
      raise exception 'challenge % is closed: its entries can no longer change', board.id
        using errcode = 'ZB010', hint = 'Nothing was written. Do not try this again.';
    end if;
  end loop;
end $$;

create function entry_changed(boards uuid[], fence boolean) returns void
language plpgsql as $$
begin
  if fence then
    perform fence_boards(boards);
  end if;
  perform append_events('entry.changed', boards::text[]);
end $$;

create function entry_inserted() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  boards uuid[] := array(select distinct challenge_id from new_row);
begin
  if boards <> '{}' then
    perform entry_changed(boards, true);
  end if;
  return null;
end $$;

-- Only rows whose watched columns differ wake anything. A name alone may change after the close:
-- that is how a deleted account disappears from old boards. FULL JOIN: a row moved to another
-- board counts for both.
create function entry_updated() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  boards uuid[];
  fence boolean;
begin
  select array_agg(distinct challenge_id),
    bool_or((n.value, n.reached_at, n.joined_at, n.hidden)
      is distinct from (o.value, o.reached_at, o.joined_at, o.hidden))
  into boards, fence
  from new_row n
  full join old_row o using (challenge_id, user_id)
  where (n.value, n.reached_at, n.joined_at, n.hidden, n.display_name, n.photo_url, n.last_updated)
    is distinct from
    (o.value, o.reached_at, o.joined_at, o.hidden, o.display_name, o.photo_url, o.last_updated);
  if boards is not null then
    perform entry_changed(boards, fence);
  end if;
  return null;
end $$;

create function entry_deleted() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  boards uuid[] := array(select distinct challenge_id from old_row);
begin
  if boards <> '{}' then
    perform entry_changed(boards, true);
  end if;
  return null;
end $$;

create trigger entry_inserted after insert on entry
referencing new table as new_row for each statement execute function entry_inserted();
create trigger entry_updated after update on entry
referencing old table as old_row new table as new_row
for each statement execute function entry_updated();
create trigger entry_deleted after delete on entry
referencing old table as old_row for each statement execute function entry_deleted();
