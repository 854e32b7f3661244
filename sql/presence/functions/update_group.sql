-- Changes all of a group's settings in one call, because the admin's form sends all of them. Users who are present stay
-- present, because the place is checked only when a user checks in. Locks: the group.
create or replace function update_group(
  actor text, group_id text, name text, shape jsonb, time_zone text, is_public boolean,
  max_members integer
) returns group_answer language plpgsql security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id), octet_length(name),
    pg_column_size(shape), octet_length(time_zone)]);
  it groups;
  place record;
begin
  perform require_actor(actor);
  it := lock_group(group_id);
  perform require_admin(actor, group_id);
  perform check_text('the name of a group', name, 100);
  perform check_zone(time_zone);
  place := read_shape(shape);
  if (max_members between greatest(it.member_count, 1) and 1000) is not true then
    perform refuse('invalidInput', format('group %s has %s members and may have 1000', quote_literal(it.id),
      it.member_count), 'Nothing was changed. Send a number between the two.');
  end if;
  update groups g
  set name = update_group.name, latitude = place.latitude, longitude = place.longitude, radius = place.radius,
    corner_latitudes = place.corner_latitudes, corner_longitudes = place.corner_longitudes,
    time_zone = update_group.time_zone, is_public = coalesce(update_group.is_public, false),
    max_members = update_group.max_members, version = g.version + 1
  where g.id = it.id
    and (g.name, g.latitude, g.longitude, g.radius, g.corner_latitudes, g.corner_longitudes, g.time_zone,
      g.is_public, g.max_members) is distinct from (update_group.name, place.latitude, place.longitude, place.radius,
      place.corner_latitudes, place.corner_longitudes, update_group.time_zone,
      coalesce(update_group.is_public, false), update_group.max_members);
  return group_row(it.id, actor);
end $$;

comment on function update_group is 'An admin changes a group. Safe to repeat.'
