-- Returns the users whom the actor has blocked, newest block first. The blocks_of_user setting limits the number of
-- blocks per user. Index: user_block_pkey.
create or replace function blocked_users(actor text)
returns table (user_id text, display_name text, photo_url text, blocked_at timestamptz)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  return query
  select u.id::text, u.display_name, u.photo_url, b.created_at
  from user_block b
  join users u on u.id = b.blocked_user
  where b.user_id = actor
  order by b.created_at desc, u.id;
end $$;

comment on function blocked_users is 'The users whom the actor has blocked, newest first.'
