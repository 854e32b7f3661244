-- Moves all data of an anonymous user to an account. The rows of both users remain, but no later call can act as the
-- merged user. Locks: the anonymous user's attempts, every group of either user in order of id, then both users in
-- order of id. Later, the blocks of both users, and the chats of the groups in order of id. If either user concurrently
-- joins a group, the call fails with a serialization failure.
create or replace function merge_users(gone text, account text) returns void
language plpgsql as $$
declare
  at constant timestamptz := domain_now();
  held text[];
  there users[];
begin
  perform hold_attempts(gone);
  held := hold_groups(array[gone, account]);
  there := array(
    select u from users u
    where u.id in (gone, account) and u.merged_into is null order by u.id for no key update);
  if cardinality(there) < 2 or exists (
    select from member m where m.user_id in (gone, account) and m.group_id <> all (held)) then
    raise serialization_failure using
      message = format('user %s or the account changed while they were merged', quote_literal(gone)),
      hint = 'Nothing was changed. Try again.';
  elsif exists (select from unnest(there) u where u.id = gone and not u.is_anonymous) then
    perform refuse('conflictingRepeat', 'this account belongs to another user',
      'Nothing was changed. Sign out, and sign in with the other account.');
  end if;
  perform merge_presences(gone, account);
  perform merge_members(gone, account);
  -- The merges of messages and blocks change chats. The blocks are merged first, because unblock_user also locks a block
  -- before the chats. Messages are merged after the memberships, whose locks exclude calls that send messages.
  perform merge_blocks(gone, account);
  perform merge_messages(gone, account);
  update identity i set user_id = account where i.user_id = gone;
  update session s set ended_at = greatest(at, s.created_at) where s.user_id = gone and s.ended_at is null;
  update invite i set created_by = account where i.created_by = gone;
  insert into redemption (code, user_id, redeemed_at)
  select r.code, account, r.redeemed_at from redemption r where r.user_id = gone
  on conflict do nothing;
  delete from redemption r where r.user_id = gone;
  delete from invite_attempt a where a.user_id = gone;
  -- The settings of the account take precedence.
  insert into push_setting (user_id, muted, quiet_from, quiet_until)
  select account, s.muted, s.quiet_from, s.quiet_until from push_setting s where s.user_id = gone
  on conflict do nothing;
  delete from push_setting s where s.user_id = gone;
  update groups g
  set created_by = case g.created_by when gone then account else g.created_by end,
    deleted_by = case g.deleted_by when gone then account else g.deleted_by end
  where g.created_by = gone or g.deleted_by = gone;
  perform merge_stats(gone, account);
  update users u set merged_into = account, version = u.version + 1, active_until = at where u.id = gone;
end $$
