-- Refuses to remove boards that leave entries behind. It runs after the statement, which by then holds
-- the boards against writers, and sees what was committed before that: an older snapshot would not see the
-- last entries. One look by an array, because as a join the planner may read all entries.
create or replace function challenge_deleted() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  if current_setting('transaction_isolation') <> 'read committed' then
    raise exception 'boards are removed at READ COMMITTED only'
      using errcode = '25001', hint = 'Nothing was removed. An older snapshot misses new entries.';
  end if;
  if exists (select from entry where challenge_id = any (array(select id from old_row))) then
    raise foreign_key_violation using message = 'a challenge that is removed still has entries',
      hint = 'Nothing was removed. Remove its entries in the same statement.';
  end if;
  return null;
end $$
