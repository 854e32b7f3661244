-- Holds a user's attempts to use a code, for a call that ends the user: a call that redeems a code locks them before
-- the group. A missing row is inserted, because a row that does not exist cannot be locked.
create or replace function hold_attempts(of_user text) returns void
language plpgsql as $$
begin
  insert into invite_attempt as a (user_id, began_at, attempts) values (of_user, domain_now(), 0)
  on conflict (user_id) do update set attempts = a.attempts;
end $$
