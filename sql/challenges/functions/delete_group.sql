-- Ends a group by ending the memberships, cancelling the open boards, and revoking the invites. Members are not
-- notified of the week's end. The `retention` job later deletes the rows of the group. For the lock order, see
-- docs/gymrats/groups.md.
create or replace function delete_group(actor text, group_id text)
returns void language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
  at constant timestamptz := domain_now();
  it groups;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  if not it.is_active then
    if it.deleted_by is distinct from actor then
      perform refuse_group(it.id);
    end if;
    return;
  end if;
  perform require_admin(actor, it.id);
  -- The locks on the members wait for calls that are recording a workout.
  perform from member m
  where m.group_id = it.id and m.left_at is null
  order by m.user_id
  for no key update;
  -- The boards are cancelled before the memberships end, because ending a membership hides entries on open boards.
  perform cancel_boards(it.id);
  update member m
  set role = 'member', has_left = true, left_at = greatest(at, (
    select i.joined_at from membership i
    where i.group_id = m.group_id and i.user_id = m.user_id and i.left_at is null))
  where m.group_id = it.id and m.left_at is null;
  perform end_group(it.id, actor);
end $$;

comment on function delete_group is
  'An admin ends the group for all of its members. Safe to repeat.'
