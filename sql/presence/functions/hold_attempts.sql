-- Locks the row that counts a user's attempts to use a code, for a call that deletes or merges the user. All calls that
-- lock the attempts of a user and a group, including calls that redeem a code, lock the attempts first. If the row is
-- missing, the function inserts the row.
create or replace function hold_attempts(of_user text) returns void
language plpgsql as $$
begin
  insert into invite_attempt as a (user_id, began_at, attempts) values (of_user, domain_now(), 0)
  on conflict (user_id) do update set attempts = a.attempts;
end $$
