-- Prevents changes to a board's id, because entries refer to it. A board's id is derived from the group, the week and
-- the type.
create or replace function challenge_renamed() returns trigger
language plpgsql as $$
begin
  raise foreign_key_violation using message = 'the id of a challenge cannot change';
end $$
