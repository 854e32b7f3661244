-- Returns up to 100 valid invites to a group, newest first.
create or replace function list_invites(actor text, group_id text)
returns table (id uuid, created_by text, created_at timestamptz, expires_at timestamptz)
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
begin
  perform require_member(actor, list_invites.group_id);
  return query
  select i.id, i.created_by::text, i.created_at, i.expires_at
  from invite i
  where i.group_id = list_invites.group_id and i.revoked_at is null and i.expires_at > domain_now()
  order by i.created_at desc, i.id
  limit 100;
end $$;

comment on function list_invites is 'The invites to a group that can be used now.'
