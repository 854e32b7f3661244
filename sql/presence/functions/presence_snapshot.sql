-- Returns the JSON of the users at a group's place for apps. One query reads all rows in one snapshot. The result
-- contains the last summary that the job has written, or an empty summary before the job's first run. Users who are
-- hidden from the actor are left out. Index: presence_present, presence_pkey, group_summary_pkey, user_block_pkey,
-- user_block_blocked.
create or replace function presence_snapshot(actor text, group_id text) returns jsonb
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(group_id)]);
begin
  perform require_member(actor, group_id);
  return (
    select without_users(place_json(g, s), hidden_users(actor)) || jsonb_build_object('own', (
      select presence_json(p) from presence p where p.group_id = g.id and p.user_id = actor))
    from groups g
    left join group_summary s on s.group_id = g.id
    where g.id = presence_snapshot.group_id);
end $$;

comment on function presence_snapshot is 'Who is at a group''s place now, for its members.'
