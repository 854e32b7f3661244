-- A board's publish lock is made with the board, by whoever makes it: publishers find it there, and need
-- no statement that looks for boards without one. docs/write-path.md has locks and order.

-- Nothing of a new board is published, so there is nothing to tell of it. ON CONFLICT for a board that
-- was removed by hand and left its lock behind.
create function challenge_made() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into publication (challenge_id, is_told) select id, true from new_row on conflict do nothing;
  return null;
end $$;
create trigger challenge_made after insert on challenge
referencing new table as new_row for each statement execute function challenge_made();

-- Behind the trigger, which waits for open writers: whatever they made is seen here.
insert into publication (challenge_id, is_told)
select c.id, true from challenge c
where not exists (select from publication p where p.challenge_id = c.id)
