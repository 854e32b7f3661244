-- Locks the statistics of users until the transaction ends, and inserts missing rows. The call locks all rows in order
-- of id, first the new rows and then the existing rows. Two transactions with users in common therefore never deadlock.
-- Index: user_stats_pkey.
create or replace function hold_stats(of_users text[]) returns void
language plpgsql as $$
begin
  -- The most frequent case is one user whose row exists.
  if cardinality(of_users) = 1 then
    perform from user_stats s where s.user_id = of_users[1] for no key update;
    if found then
      return;
    end if;
  end if;
  insert into user_stats (user_id)
  select distinct u.id collate "C" from unnest(of_users) u (id) order by 1
  on conflict do nothing;
  perform from user_stats s where s.user_id = any (of_users) order by s.user_id for no key update;
end $$
