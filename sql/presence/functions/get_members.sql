-- Returns the members of one of the actor's groups, ordered by join time.
create or replace function get_members(actor text, group_id text)
returns table (user_id text, display_name text, photo_url text, role text, joined_at timestamptz)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
begin
  perform require_member(actor, get_members.group_id);
  return query
  select u.id::text, u.display_name, u.photo_url, m.role, m.joined_at
  from member m
  join users u on u.id = m.user_id
  where m.group_id = get_members.group_id and m.left_at is null
  order by m.joined_at, m.user_id;
end $$;

comment on function get_members is 'The members of a group, longest first.'
