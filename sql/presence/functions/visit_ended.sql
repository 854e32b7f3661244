-- Stores the longest stay of users whose visits have ended. If a stay is not longer than the user's longest stay, no
-- row is locked or changed.
create or replace function visit_ended() returns trigger
language plpgsql security definer set search_path from current as $$
declare
  longer text[] := array(
    select distinct n.user_id::text
    from changed_row n
    join old_row o on o.id = n.id
    join user_stats s on s.user_id = n.user_id
    where n.departure is distinct from o.departure and stay_of(n.arrival, n.departure) > s.longest_stay);
begin
  if longer = '{}' then
    return null;
  end if;
  perform hold_stats(longer);
  update user_stats s
  set longest_stay = n.stay
  from (
    select r.user_id, max(stay_of(r.arrival, r.departure)) as stay from changed_row r group by r.user_id
  ) n
  where s.user_id = n.user_id and s.longest_stay < n.stay;
  return null;
end $$
