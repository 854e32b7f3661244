-- Adds a user to a group without an invite. The group must not be full, and the user must not be in another group. Only
-- the server may execute the function, because the function does not check the actor. If the account is missing, the
-- function creates the account with the given name and photo. An existing account is not changed. For the lock order,
-- see docs/gymrats/groups.md.
create or replace function add_member(
  group_id text, user_id text, display_name text, photo_url text default null
) returns void language plpgsql
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  at constant timestamptz := domain_now();
  it groups;
begin
  perform require_read_committed();
  perform check_identity('email', user_id, display_name, null, photo_url);
  if display_name is null or trim(display_name) = '' then
    perform refuse('invalidInput', 'a member needs a name', 'Nothing was changed. Send one.');
  end if;
  it := lock_group(group_id);
  if not it.is_active then
    perform refuse_group(group_id);
  end if;
  insert into users (id, display_name, photo_url)
  values (add_member.user_id, add_member.display_name, add_member.photo_url)
  on conflict (id) do nothing;
  perform enter_group(it, user_id, at);
  insert into usage_log (recorded_at, kind, group_id, user_id)
  values (at, 'group_joined', it.id, add_member.user_id);
end $$;

comment on function add_member is
  'For the server: makes a user a member without an invite. Repeated: alreadyInGroup.'
