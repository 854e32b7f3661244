-- Refuses a change of a board's id: it follows from the group, week and type, and entries refer to it.
create or replace function challenge_renamed() returns trigger
language plpgsql as $$
begin
  raise foreign_key_violation using message = 'the id of a challenge cannot change';
end $$
