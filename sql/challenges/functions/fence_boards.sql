-- Implements the board fence: locks boards so that they cannot be closed, and fails if a board is closed or missing.
-- The lock on a board is FOR KEY SHARE, because a stronger lock would wait for publishers. The boards are locked in
-- order of id. After waiting for the lock on a board, the function sees the board's new state. If another transaction
-- deletes a board, this function waits for the transaction and then fails. A single query for all boards would read
-- their states before it locks them.
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
      raise exception 'board % is closed: its entries can no longer change', board.id
        using errcode = 'ZB010', hint = 'Nothing was written. Do not try this again.';
    end if;
    locked := locked + 1;
  end loop;
  if locked < cardinality(boards) then
    raise foreign_key_violation using message = 'an entry needs a challenge that is there',
      hint = 'Nothing was written. record_workout makes the boards of a week.';
  end if;
end $$
