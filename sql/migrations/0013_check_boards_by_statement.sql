-- What the foreign key from entry to challenge promised, kept by the statement instead of by the row.
-- The key looked for entries once for each board that retention removes, a quarter of that purge, and
-- locked on behalf of each new entry a board that the fence locks anyway. docs/write-path.md has the
-- interleavings, docs/performance.md the figures.

-- As in 0004_record_entry_events.sql, and every board must be there. Whoever removes a board is waited
-- for; it is then gone, and so is what was written.
create or replace function fence_boards(boards uuid[]) returns void
language plpgsql as $$
declare
  board record;
  locked integer := 0;
begin
  for board in
    select id, state from challenge where id = any (boards) order by id for key share
  loop
    if board.state <> 'open' then
      raise exception 'challenge % is closed: its entries can no longer change', board.id
        using errcode = 'ZB010', hint = 'Nothing was written. Do not try this again.';
    end if;
    locked := locked + 1;
  end loop;
  if locked < cardinality(boards) then
    raise foreign_key_violation using message = 'an entry needs a challenge that is there',
      hint = 'Nothing was written. record_workout makes the challenges of a week.';
  end if;
end $$;

-- Refuses to remove boards that leave entries behind. It runs after the statement, which by then holds
-- the boards against writers, and sees what was committed before that. One look a board, in a loop over
-- them: as a join the planner may read all entries. An older snapshot would not see the last ones.
create function challenge_deleted() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'boards are removed at READ COMMITTED only'
      using errcode = '25001', hint = 'Nothing was removed. An older snapshot misses new entries.';
  end if;
  if exists (
    select from old_row o
    cross join lateral (select from entry e where e.challenge_id = o.id limit 1) e)
  then
    raise foreign_key_violation using message = 'a challenge that is removed still has entries',
      hint = 'Nothing was removed. Remove its entries in the same statement.';
  end if;
  return null;
end $$;
create trigger challenge_deleted after delete on challenge
referencing old table as old_row for each statement execute function challenge_deleted();

-- A board's id is what its group, week and type say, and entries hold it.
create function challenge_renamed() returns trigger
language plpgsql as $$
begin
  raise foreign_key_violation using message = 'the id of a challenge cannot change';
end $$;
create trigger challenge_renamed before update of id on challenge
for each row when (old.id <> new.id) execute function challenge_renamed();

alter table entry drop constraint entry_challenge_id_fkey
