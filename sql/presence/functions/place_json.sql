-- Returns the JSON of a place for apps, without the viewer's own presence. The result contains up to 1,000 present
-- users, ordered by arrival, latest first. Index: presence_present.
-- needs: summary_json, presence_json
create or replace function place_json(of_group groups, it group_summary) returns jsonb
language sql stable
return jsonb_build_object(
  'summary', summary_json(of_group, it),
  'presences', coalesce((
    select jsonb_agg(presence_json(p::presence) order by p.since desc, p.user_id)
    from (
      select * from presence p
      where p.group_id = (of_group).id and p.is_present
      order by p.since desc, p.user_id
      limit 1000
    ) p), '[]'),
  'takenAt', iso_text(domain_now(), '.US'))
