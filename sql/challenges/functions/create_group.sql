-- Creates a group with the actor as the first member and admin, and creates both boards of the current week. For the
-- lock order, see docs/gymrats/groups.md. If one user makes two concurrent calls, the second call waits for the row in
-- active_group and is rejected. The limit on created groups is therefore exact. The function checks the actor's limits
-- before it rejects an existing id, so that a limited user cannot test ids. Index: group_creator.
create or replace function create_group(actor text, group_id text, name text)
returns group_answer language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id), octet_length(name)]);
  at constant timestamptz := domain_now();
  there groups;
  is_new boolean;
  other text;
  most constant integer := (select s.groups_a_day from setting s);
begin
  perform require_actor(actor);
  perform check_name(group_id, name);
  insert into groups (id, name, created_at, created_by)
  values (create_group.group_id, create_group.name, at, actor)
  on conflict do nothing;
  is_new := found;
  if not is_new then
    select * into there from groups g where g.id = create_group.group_id;
    -- If the creator has left the group, the call fails with the same error as a call with the id of another user's
    -- group.
    if (there.created_by, there.name) is not distinct from (actor, create_group.name)
      and exists (
        select from member m where m.group_id = there.id and m.user_id = actor and m.left_at is null) then
      return group_row(group_id, actor);
    end if;
  end if;
  if (
    select count(*) from (
      select from groups g where g.created_by = actor and g.created_at > at - interval '24 hours'
        -- A stored time in the future is ignored, because it was recorded while the clock was wrong.
        and g.created_at <= at + interval '1 minute'
      limit most + 1) g) + (not is_new)::integer > most then
    perform refuse_limit('groups_a_day', format('user %s created too many groups within a day',
      quote_literal(actor)));
  end if;
  select a.group_id into other from active_group a where a.user_id = actor;
  if other <> create_group.group_id then
    perform refuse_second_group(actor, other);
  elsif not is_new then
    perform refuse('conflictingRepeat', format('there is a group %s already', quote_literal(group_id)),
      'Nothing was changed. Send a new id for a new group.');
  end if;
  -- This insert fails if the actor has joined another group concurrently.
  insert into member (group_id, user_id, role, joined_at)
  values (create_group.group_id, actor, 'admin', at);
  perform lock_boards(create_group.group_id, week_of(at));
  insert into usage_log (recorded_at, kind, group_id, user_id)
  values (at, 'group_created', create_group.group_id, actor);
  return group_row(group_id, actor);
end $$;

comment on function create_group is
  'Makes a group with the actor as its admin. Safe to repeat with the same id and name.'
