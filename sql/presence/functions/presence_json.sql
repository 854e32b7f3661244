-- Returns the JSON of a presence for apps.
create or replace function presence_json(it presence) returns jsonb
language sql stable
return jsonb_build_object('groupId', (it).group_id, 'userId', (it).user_id, 'isPresent', (it).is_present,
  'source', (it).source, 'since', iso_text((it).since, '.US'), 'deadline', iso_text((it).deadline, '.US'),
  'version', (it).version, 'changedAt', iso_text((it).changed_at, '.US'))
