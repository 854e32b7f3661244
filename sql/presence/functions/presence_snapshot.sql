-- Who is at a group's place, as apps read it: one query, so that all of it is of one moment. The line of it is as the job
-- wrote it last; before that there is an empty one. Index: presence_present, presence_pkey, group_summary_pkey.
create or replace function presence_snapshot(actor text, group_id text) returns jsonb
language plpgsql stable security definer
set search_path from current set enable_seqscan = off set jit = off as $$
begin
  perform require_member(actor, group_id);
  return (
    select jsonb_build_object(
      'summary', summary_json(g, s),
      'presences', coalesce((
        select jsonb_agg(presence_json(q.it) order by (q.it).since desc, (q.it).user_id)
        from (
          select p as it from presence p
          where p.group_id = g.id and p.is_present
          order by p.since desc, p.user_id
          limit 1000
        ) q), '[]'),
      'own', (
        select presence_json(p) from presence p where p.group_id = g.id and p.user_id = actor),
      'takenAt', iso_text(domain_now(), '.US'))
    from groups g
    left join group_summary s on s.group_id = g.id
    where g.id = presence_snapshot.group_id);
end $$;

comment on function presence_snapshot is 'Who is at a group''s place now, for its members.'
