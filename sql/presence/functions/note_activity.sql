-- Updates the stored activity of anonymous users whose stored activity is older than the retention period, oldest
-- first. Returns the number of users who were active within the retention period. Retention reads a user again only
-- when the updated activity is older than the retention period. Users who were not active within the retention period
-- are idle, and their rows remain unchanged. Locks: the changed rows of the `users` table, SKIP LOCKED. Index:
-- users_idle.
-- needs: last_activity
create or replace function note_activity(most integer) returns bigint
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  cutoff constant timestamptz := (select domain_now() - in_seconds(s.anonymous_age) from setting s);
  noted bigint;
begin
  perform require_read_committed();
  with due as materialized (
    select u.id, last_activity(u.id) as seen_at from users u
    where u.is_anonymous and coalesce(u.active_until, u.created_at) < cutoff
    order by coalesce(u.active_until, u.created_at)
    limit most
    for no key update of u skip locked
  )
  update users u set active_until = d.seen_at
  from due d
  where u.id = d.id and d.seen_at >= cutoff;
  get diagnostics noted = row_count;
  return noted;
end $$
