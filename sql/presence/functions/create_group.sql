-- Creates a group with the actor as the first member and admin. N concurrent calls by one user may exceed the daily
-- limit on created groups by N - 1. The function checks the actor's limits before it rejects an existing id, so that a
-- limited user cannot test ids. Locks: the new rows. Index: group_creator.
create or replace function create_group(
  actor text, group_id text, name text, shape jsonb, time_zone text, is_public boolean default false
) returns group_answer language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id), octet_length(name),
    pg_column_size(shape), octet_length(time_zone)]);
  at constant timestamptz := domain_now();
  place record;
  there groups;
  is_new boolean;
  most constant integer := (select s.groups_a_day from setting s);
begin
  perform require_actor(actor);
  perform check_id('a group', group_id);
  perform check_text('the name of a group', name, 100);
  perform check_zone(time_zone);
  place := read_shape(shape);
  insert into groups (id, name, latitude, longitude, radius, corner_latitudes, corner_longitudes, is_public,
    time_zone, created_at, created_by)
  values (create_group.group_id, create_group.name, place.latitude, place.longitude, place.radius,
    place.corner_latitudes, place.corner_longitudes, coalesce(create_group.is_public, false),
    create_group.time_zone, at, actor)
  on conflict do nothing;
  is_new := found;
  if not is_new then
    select * into there from groups g where g.id = create_group.group_id;
    if (there.created_by, there.name, there.time_zone, there.is_public) is not distinct from
      (actor, create_group.name, create_group.time_zone, coalesce(create_group.is_public, false))
      and (there.latitude, there.longitude, there.radius, there.corner_latitudes, there.corner_longitudes)
        is not distinct from
        (place.latitude, place.longitude, place.radius, place.corner_latitudes, place.corner_longitudes)
      -- If the creator has left the group, the call fails with the same error as a call with the id of another user's
      -- group.
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
  perform hold_actor(actor);
  perform check_groups_of(actor);
  if not is_new then
    perform refuse('conflictingRepeat', format('there is a group %s already', quote_literal(group_id)),
      'Nothing was changed. Send a new id for a new group.');
  end if;
  insert into member (group_id, user_id, role, joined_at) values (create_group.group_id, actor, 'admin', at);
  return group_row(group_id, actor);
end $$;

comment on function create_group is
  'Makes a group at a place, with the actor as its admin. Safe to repeat with the same id.'
