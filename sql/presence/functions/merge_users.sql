-- Moves all that one user has to another, who stays; the first one's row stays too, and speaks for nobody.
-- Locks: every group of either in order of id, both users in order of id. A membership that came meanwhile is a
-- serialization failure: its group was not held.
create or replace function merge_users(gone text, account text) returns void
language plpgsql as $$
declare
  at constant timestamptz := domain_now();
  held text[];
begin
  held := array(
    select g.id from groups g
    where g.id in (select m.group_id from member m where m.user_id in (gone, account))
    order by g.id
    for no key update);
  perform from users u where u.id in (gone, account) order by u.id for update;
  if exists (
    select from member m where m.user_id in (gone, account) and m.group_id <> all (held)) then
    raise serialization_failure using
      message = format('user %s joined a group while they were merged', quote_literal(gone)),
      hint = 'Nothing was changed. Try again.';
  end if;
  perform merge_members(gone, account, at);
  update identity i set user_id = account where i.user_id = gone;
  update session s set ended_at = greatest(at, s.created_at) where s.user_id = gone and s.ended_at is null;
  update invite i set created_by = account where i.created_by = gone;
  insert into redemption (code, user_id, redeemed_at)
  select r.code, account, r.redeemed_at from redemption r where r.user_id = gone
  on conflict do nothing;
  delete from redemption r where r.user_id = gone;
  delete from invite_attempt a where a.user_id = gone;
  update groups g
  set created_by = case g.created_by when gone then account else g.created_by end,
    deleted_by = case g.deleted_by when gone then account else g.deleted_by end
  where g.created_by = gone or g.deleted_by = gone;
  update users u set merged_into = account, version = u.version + 1 where u.id = gone;
  -- Who was merged into the one that goes now is the account's too.
  update users u set merged_into = account where u.merged_into = gone;
end $$
