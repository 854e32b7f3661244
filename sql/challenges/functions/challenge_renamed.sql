-- A board's id is what its group, week and type say, and entries hold it.
create or replace function challenge_renamed() returns trigger
language plpgsql as $$
begin
  raise foreign_key_violation using message = 'the id of a challenge cannot change';
end $$
