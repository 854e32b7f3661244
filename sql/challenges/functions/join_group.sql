-- Makes the actor a member of the group to which a token invites. If a former member returns, the existing row in the
-- `member` table is used again. For an invalid invite, the function returns a normal response, because an error would
-- roll back the count of attempts. For the lock order, see docs/gymrats/groups.md.
create or replace function join_group(actor text, token text) returns join_answer
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(token)]);
  at constant timestamptz := domain_now();
  invited text;
  it groups;
begin
  perform require_actor(actor);
  perform count_attempt(actor);
  invited := invited_group_of(token, actor);
  if invited is not null then
    it := lock_group(invited);
    -- The invite is checked again under the lock, because it may have been revoked during the wait.
    invited := invited_group_of(token, actor);
  end if;
  if invited is null then
    perform count_in_hour('attempt_count', at);
    return row('inviteInvalid', null, null)::join_answer;
  end if;
  update invite_attempt a set attempts = a.attempts - 1 where a.user_id = actor;
  perform enter_group(it, actor, at);
  insert into usage_log (recorded_at, kind, group_id, user_id, invite_id)
  values (at, 'group_joined', invited, actor, invite_of(token));
  return row(null, invited, (group_row(invited, actor)).joined_at)::join_answer;
end $$;

comment on function join_group is
  'Makes the actor a member by an invite. Repeated: alreadyInGroup, with the same group.'
