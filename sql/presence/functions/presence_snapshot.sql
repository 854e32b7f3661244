-- The users at a group's place, as apps read it: one query, so that all rows are of one moment. The summary is the one
-- that the job wrote last; before the first one it is empty. Index: presence_present, presence_pkey,
-- group_summary_pkey.
create or replace function presence_snapshot(actor text, group_id text) returns jsonb
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
begin
  perform require_member(actor, group_id);
  return (
    select place_json(g, s) || jsonb_build_object('own', (
      select presence_json(p) from presence p where p.group_id = g.id and p.user_id = actor))
    from groups g
    left join group_summary s on s.group_id = g.id
    where g.id = presence_snapshot.group_id);
end $$;

comment on function presence_snapshot is 'Who is at a group''s place now, for its members.'
