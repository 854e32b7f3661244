-- Records the arrival of a user with the date in the group's time zone. The user whose transaction inserts the row into
-- first_arrival is the date's first user. A concurrent arrival in the same group waits for the transaction that
-- inserted the row into first_arrival. Index: groups_pkey, first_arrival_pkey.
create or replace function begin_visit(it presence) returns void
language plpgsql as $$
declare
  today constant date := (
    select (it.since at time zone g.time_zone)::date from groups g where g.id = it.group_id);
  is_first boolean := not exists (
    select from first_arrival f where f.group_id = it.group_id and f.local_date = today);
begin
  if is_first then
    insert into first_arrival (group_id, local_date, user_id, arrived_at)
    values (it.group_id, today, it.user_id, it.since)
    on conflict do nothing;
    is_first := found;
  end if;
  insert into visit (user_id, group_id, arrival, local_date, is_first)
  values (it.user_id, it.group_id, it.since, today, is_first);
end $$
