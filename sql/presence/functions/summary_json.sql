-- Returns the JSON of a group's summary for apps. If no job has written the summary yet, all columns of the `it`
-- parameter are null. The `firstToday` field contains the first user who arrived on the current date in the group's
-- time zone.
create or replace function summary_json(of_group groups, it group_summary) returns jsonb
language sql stable
return jsonb_build_object('groupId', (of_group).id, 'presentCount', coalesce((it).present_count, 0),
  'firstToday', case
    when (it).first_date = (domain_now() at time zone (of_group).time_zone)::date then (it).first_user end,
  'latest', to_jsonb(coalesce((it).latest, '{}')), 'version', coalesce((it).version, 0),
  'changedAt', iso_text(coalesce((it).changed_at, (of_group).created_at), '.US'))
