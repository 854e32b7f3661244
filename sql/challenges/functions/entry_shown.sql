-- Records which user returned to a board, and with which value. When a user returns, the ranks of other members may
-- change. No notification reports these rank changes.
create or replace function entry_shown() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into silent_move (challenge_id, user_id, value)
  values (new.challenge_id, new.user_id, new.value);
  return null;
end $$
