-- For each new notification and each of the recipient's devices, appends an event with the trigger's topic. A rank
-- change has the key DEVICE/BOARD, so that several rank changes on one board become one push. All notifications that
-- are not about ranks have the key DEVICE/NOTIFICATION. The joins are always nested loops, because a cached plan for a
-- hash join would read all devices. Locks: none. Index: push_device_user.
create or replace function notification_inserted() returns trigger
language plpgsql security definer set search_path from current
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off as $$
declare
  about_ranks constant boolean := tg_argv[0] = 'push.rank-change';
  keys text[];
begin
  keys := array(
    select distinct d.id || '/' || case when about_ranks then n.challenge_id::text else n.id::text end
    from new_row n
    join push_device d on d.user_id = n.user_id
    where (n.type = 'rank_change') = about_ranks);
  if keys <> '{}' then
    perform append_events(tg_argv[0], keys);
  end if;
  return null;
end $$
