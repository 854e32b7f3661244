-- Returns public groups and the actor's own groups around a place, nearest first. An index finds the boxes that overlap
-- the search, and then the distance of each group is computed. Index: group_area_box, groups_pkey, member_pkey.
create or replace function nearby_groups(
  actor text, latitude double precision, longitude double precision, metres double precision default 2000,
  most integer default 50
) returns table (metres_away double precision, found group_answer)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
begin
  perform require_actor(actor);
  if (latitude between -90 and 90 and longitude between -180 and 180 and metres between 0 and 50000
    and most between 1 and 100) is not true then
    perform refuse('invalidInput', 'there is no such place to search around',
      'Nothing was read. Send degrees, 0 to 50000 metres, and 1 to 100 groups at most.');
  end if;
  return query
  select near.metres, group_row(near.id, actor)
  from (
    select g.id, metres_to_group(g, nearby_groups.latitude, nearby_groups.longitude) as metres
    from (
      select distinct a.group_id
      from boxes_around(nearby_groups.latitude, nearby_groups.longitude,
        nearby_groups.metres) around
      join group_area a on a.area && around
    ) hit
    join groups g on g.id = hit.group_id
    where g.is_active and (g.is_public or exists (
      select from member m where m.group_id = g.id and m.user_id = actor and m.left_at is null))
  ) near
  where near.metres <= nearby_groups.metres
  order by near.metres, near.id
  limit most;
end $$;

comment on function nearby_groups is 'Groups around a place, nearest first.'
