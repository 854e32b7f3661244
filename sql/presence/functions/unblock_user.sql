-- Ends the actor's block of another user. If the user is not blocked or does not exist, the call has no effect. After
-- the call, the API servers reread the chats and places that reread_groups selects. Locks: the rows that reread_groups
-- locks. Index: user_block_pkey.
create or replace function unblock_user(actor text, user_id text) returns void
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(user_id)]);
begin
  perform require_actor(actor);
  delete from user_block b where b.user_id = actor and b.blocked_user = unblock_user.user_id;
  if found then
    perform reread_groups(array[actor], array[unblock_user.user_id]);
  end if;
end $$;

comment on function unblock_user is 'Ends a block of the actor. Safe to repeat.'
