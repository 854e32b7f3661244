-- Returns only the name and the size of a group, for an invited user who is not a member yet. For an invalid invite,
-- the function returns a normal response, because an error would roll back the count of attempts.
create or replace function preview_invite(actor text, token text) returns invite_preview
language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(token)]);
  it groups;
begin
  perform require_actor(actor);
  perform count_attempt(actor);
  select * into it from groups g where g.id = invited_group_of(token, actor);
  if it.id is null then
    perform count_in_hour('attempt_count', domain_now());
    return row('inviteInvalid', null, null, null)::invite_preview;
  end if;
  update invite_attempt a set attempts = a.attempts - 1 where a.user_id = actor;
  insert into usage_log (recorded_at, kind, group_id, user_id, invite_id)
  select domain_now(), 'invite_previewed', it.id, actor, i.id
  from (select invite_of(token) as id) i
  where i.id is not null
  on conflict do nothing;
  return row(null, it.name, it.member_count, it.member_count >= it.max_members)::invite_preview;
end $$;

comment on function preview_invite is 'Name and size of the group that an invite is for.'
