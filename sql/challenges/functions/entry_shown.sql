-- Records which user returned to a board, and with which value. Members are not notified of rank changes that a return
-- causes.
create or replace function entry_shown() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into silent_move (challenge_id, user_id, value)
  values (new.challenge_id, new.user_id, new.value);
  return null;
end $$
