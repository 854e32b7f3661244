-- Prevents a change of a board's id, which is derived from the group, the week and the type. Entries refer to the id.
create or replace function challenge_renamed() returns trigger
language plpgsql as $$
begin
  raise foreign_key_violation using message = 'the id of a challenge cannot change';
end $$
