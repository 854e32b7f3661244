-- The board fence: locks the boards against a close, and fails if one is closed or missing. FOR KEY SHARE, because a
-- stronger lock would wait for publishers. The locks are taken in order of id, and a caller that waited sees the new
-- state. If another transaction removes a board, the call waits for it; then the board is missing and the write fails.
-- A loop instead of a condition on a subquery: the planner moves such a condition below the lock, which then locks
-- nothing that the snapshot sees as open.
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
