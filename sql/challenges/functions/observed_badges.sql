-- Returns the number of visible, unread notifications of each observed user. For a user without an account, the result
-- has no row. The caller must send each number only to its user. Each user is counted separately, because the planner
-- may read whole tables for a join. Index: users_pkey, notification_user of each partition.
create or replace function observed_badges(of_users text[]) returns table (number bigint, unread integer)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
begin
  return query
  select o.number, (
    select count(*)::integer from notification n
    where n.user_id = o.user_id and not n.is_read
      and n.created_at > (select domain_now() - notification_lifetime()))
  from unnest(of_users) with ordinality o (user_id, number)
  where (select true from users u where u.id = o.user_id)
  order by o.number;
end $$;

comment on function observed_badges is 'How many unread notifications users have, for all who observe them.'
