-- Lists anonymous users who have been inactive for longer than the retention period, with their last known activity.
-- Users are ordered by last activity, oldest first. The function reads up to `most` users, and omits users who were
-- active within the retention period. Locks: none. Index: users_idle.
-- needs: last_activity
create or replace function idle_users(most integer) returns table (user_id text, idle_since timestamptz)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  cutoff constant timestamptz := (select domain_now() - in_seconds(s.anonymous_age) from setting s);
begin
  return query
  select d.id::text, d.seen_at
  from (
    select u.id, greatest(coalesce(u.active_until, u.created_at), last_activity(u.id)) as seen_at
    from users u
    where u.is_anonymous and coalesce(u.active_until, u.created_at) < cutoff
    order by coalesce(u.active_until, u.created_at)
    limit most
  ) d
  where d.seen_at < cutoff
  order by d.seen_at;
end $$
