-- Blocks a user for the actor. The actor and the blocked user must be current or former members of the same group. At
-- least one of the two users must be a current member. The error is the same for an unknown id and for a user without a
-- common group, so callers cannot test ids. If the user is already blocked, the call has no effect. After the call, the
-- API servers reread the chats and places that reread_groups selects. Locks: the rows of the actor and of the blocked
-- user in order of id, so that the limit on blocks is exact, then the rows that reread_groups locks. Indexes:
-- member_user, member_pkey, user_block_pkey.
create or replace function block_user(actor text, user_id text) returns void
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(user_id)]);
  most constant integer := (select s.blocks_of_user from setting s);
begin
  perform require_actor(actor);
  perform hold_users(actor, block_user.user_id);
  if exists (select from user_block b where b.user_id = actor and b.blocked_user = block_user.user_id) then
    return;
  elsif not exists (
    select from member c
    join member o on o.group_id = c.group_id
    where c.left_at is null and c.user_id = actor and o.user_id = block_user.user_id)
    and not exists (
      select from member c
      join member o on o.group_id = c.group_id
      where c.left_at is null and c.user_id = block_user.user_id and o.user_id = actor)
  then
    perform refuse('notAMember', format('user %s and user %s have no group in common', quote_literal(actor),
      quote_nullable(left(block_user.user_id, 64))),
      'Nothing was changed. Block a member of an own group.');
  elsif (
    select count(*) from (select from user_block b where b.user_id = actor limit most) b) >= most
  then
    perform refuse('limitReached', format('user %s blocks %s users', quote_literal(actor), most),
      'Nothing was changed. Unblock a user first.', 'blocks_of_user');
  end if;
  insert into user_block (user_id, blocked_user, created_at) values (actor, block_user.user_id, domain_now());
  perform reread_groups(array[actor], array[block_user.user_id]);
end $$;

comment on function block_user is 'Blocks a user for the actor. Safe to repeat.'
