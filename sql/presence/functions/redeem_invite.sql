-- Makes the actor a member of the group to which an invite code belongs. For an invalid code, the function returns a
-- normal response, because an error would roll back the count of attempts. Each user can redeem a code once. A repeated
-- call returns the same response. After leaving the group, the user needs another code. Locks: the attempts of the
-- actor, the group.
create or replace function redeem_invite(actor text, code text) returns redeem_answer
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(code)]);
  at constant timestamptz := domain_now();
  wanted constant text := read_code(code);
  it groups;
  there invite;
  mine member;
begin
  perform require_actor(actor);
  perform count_attempt(actor);
  select * into there from invite i where i.code = wanted;
  if there.code is null then
    perform count_in_hour('attempt_count', at);
    return row('inviteInvalid', null, null)::redeem_answer;
  end if;
  it := lock_group(there.group_id);
  update invite_attempt a set attempts = a.attempts - 1 where a.user_id = actor;
  select * into mine from member m where m.group_id = it.id and m.user_id = actor and m.left_at is null;
  if mine.user_id is not null then
    return row(null, it.id, mine.joined_at)::redeem_answer;
  end if;
  -- The code is read again under the lock, because it may have been replaced during the wait.
  select * into there from invite i where i.code = wanted;
  if there.replaced_at is not null or not it.is_active
    or exists (select from redemption r where r.code = wanted and r.user_id = actor)
    -- The response does not reveal that the creator of the code has blocked the actor.
    or exists (select from user_block b where b.user_id = there.created_by and b.blocked_user = actor) then
    return row('inviteInvalid', null, null)::redeem_answer;
  elsif there.expires_at <= at then
    return row('inviteExpired', null, null)::redeem_answer;
  end if;
  perform enter_group(it, actor);
  insert into redemption (code, user_id, redeemed_at) values (wanted, actor, at);
  return row(null, it.id, (group_row(it.id, actor)).joined_at)::redeem_answer;
end $$;

comment on function redeem_invite is 'Makes the actor a member of the group whose code it is. Safe to repeat.'
