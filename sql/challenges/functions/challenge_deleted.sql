-- Prevents the deletion of boards that still have entries. The trigger runs after the DELETE statement, so that it sees
-- all committed entries. The function finds the entries through an array of board ids, because with a join, the planner
-- may read all entries.
create or replace function challenge_deleted() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  perform require_read_committed();
  if exists (select from entry where challenge_id = any (array(select id from old_row))) then
    raise foreign_key_violation using message = 'a challenge that is removed still has entries',
      hint = 'Nothing was removed. Remove its entries in the same statement.';
  end if;
  return null;
end $$
