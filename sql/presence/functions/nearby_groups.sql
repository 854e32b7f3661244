-- Returns public groups and the actor's own groups near a place, nearest first. The search area around the place
-- consists of one to three boxes. For each box, an index finds at most 200 public groups, ordered by distance in
-- degrees. For each found group, the function computes the distance in meters. If the search area contains more than
-- 200 public groups, some nearer groups may be missing. For boxes on the other side of the date line, the function
-- shifts the longitude of the place by 360 degrees. Index: group_area_box, groups_pkey, member_user.
create or replace function nearby_groups(
  actor text, latitude double precision, longitude double precision, metres double precision default 2000,
  most integer default 50
) returns table (metres_away double precision, found group_answer)
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor)]);
begin
  perform require_actor(actor);
  if (latitude between -90 and 90 and longitude between -180 and 180 and metres between 0 and 50000
    and most between 1 and 100) is not true then
    perform refuse('invalidInput', 'there is no such place to search around',
      'Nothing was read. Send degrees, 0 to 50000 metres, and 1 to 100 groups at most.');
  end if;
  -- Extremely small values are read as 0, because their square would underflow.
  latitude := case when abs(latitude) < 1e-15 then 0 else latitude end;
  longitude := case when abs(longitude) < 1e-15 then 0 else longitude end;
  metres := case when metres < 1e-15 then 0 else metres end;
  return query
  select near.metres, group_row(near.id, actor)
  from (
    select g.id, metres_to_group(g, nearby_groups.latitude, nearby_groups.longitude) as metres
    from (
      select candidate.group_id
      from boxes_around(nearby_groups.latitude, nearby_groups.longitude, nearby_groups.metres) around
      cross join lateral (
        select nearby_groups.longitude
          + 360 * round(((center(around))[0] - nearby_groups.longitude) / 360) as longitude
      ) seen
      cross join lateral (
        select a.group_id from group_area a
        where a.area && around
        order by a.area <-> point(seen.longitude, nearby_groups.latitude)
        limit 200
      ) candidate
      union
      select m.group_id from member m where m.user_id = actor and m.left_at is null
    ) hit
    join groups g on g.id = hit.group_id
    where g.is_active
  ) near
  where near.metres <= nearby_groups.metres
  order by near.metres, near.id
  limit most;
end $$;

comment on function nearby_groups is 'Groups around a place, nearest first.'
