-- Deletes the account of an anonymous user who has been inactive for longer than the retention period. If the user's
-- device signs in later, it gets a new user. Returns false if the user has become active or now has an account. The
-- function acquires the same locks in the same order as delete_account. After acquiring the locks, the function reads
-- the user's activity again. Each transaction must delete only one user, because the groups of several users would be
-- locked in an arbitrary order.
-- needs: last_activity
create or replace function forget_user(of_user text) returns boolean
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  cutoff constant timestamptz := (select domain_now() - in_seconds(s.anonymous_age) from setting s);
  seen_at timestamptz;
begin
  perform require_read_committed();
  if not exists (select from users u where u.id = of_user) then
    return false;
  end if;
  perform hold_attempts(of_user);
  perform hold_groups(array[of_user]);
  perform from member m where m.user_id = of_user order by m.group_id for no key update;
  perform from users u where u.id = of_user for update;
  select greatest(coalesce(u.active_until, u.created_at), last_activity(u.id)) into seen_at
  from users u
  where u.id = of_user and u.is_anonymous;
  if seen_at < cutoff then
    perform end_account(of_user);
    return true;
  end if;
  update users u set active_until = seen_at where u.id = of_user and seen_at > u.created_at;
  return false;
end $$
