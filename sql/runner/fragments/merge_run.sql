-- Merges the inserted run `excluded` into the ready run `r` with the same key. The payload, the id and the group come
-- from the call with the highest event number, regardless of the order of dispatch. A run that contains a call with
-- `replace` replaces the other run if this call is newer than all calls of the other run. The merged run then has the
-- payload, times, priority, origin and trace of the replacing run. Statements that include the fragment keep the ids of
-- both runs. Rows: none, because the fragment is only part of a statement. Locks: the row `r` of the ready run.
  id = case
    when
      -- include: shares_payloads
      then nextval('run_id_seq')
    when excluded.payload_event > coalesce(r.payload_event, 0) then excluded.id
    else r.id end,
  payload = case
    when excluded.payload_event > coalesce(r.payload_event, 0) then
      case when excluded.replaced_by > coalesce(r.payload_event, 0) then excluded.payload
        else later_payload(r.job, r.payload, excluded.payload) end
    when r.replaced_by > coalesce(excluded.payload_event, 0) then r.payload
    else later_payload(r.job, excluded.payload, r.payload) end,
  group_key = case when excluded.payload_event > coalesce(r.payload_event, 0)
    -- A returned run of the empty group has no group here. A held run must have a group.
    then coalesce(excluded.group_key, case when r.is_held then '' end)
    -- A run that was dispatched before the job had limits has no group yet.
    else coalesce(r.group_key, case when excluded.group_key is not null then run_group(r.job, r.key, r.payload) end)
    end,
  newest_event = greatest(r.newest_event, excluded.newest_event),
  payload_event = greatest(r.payload_event, excluded.payload_event),
  replaced_by = greatest(r.replaced_by, excluded.replaced_by),
  first_event_at = case
    when excluded.replaced_by > coalesce(r.newest_event, 0) then excluded.first_event_at
    when r.replaced_by > coalesce(excluded.newest_event, 0) then r.first_event_at
    when coalesce(r.replaced_by, excluded.replaced_by) is null then least(r.first_event_at, excluded.first_event_at)
    else (merge_waits(r, excluded)).first_event_at end,
  last_event_at = case
    when excluded.replaced_by > coalesce(r.newest_event, 0) then excluded.last_event_at
    when r.replaced_by > coalesce(excluded.newest_event, 0) then r.last_event_at
    when coalesce(r.replaced_by, excluded.replaced_by) is null then greatest(r.last_event_at, excluded.last_event_at)
    else (merge_waits(r, excluded)).last_event_at end,
  run_at = case
    when excluded.replaced_by > coalesce(r.newest_event, 0) then excluded.run_at
    when r.replaced_by > coalesce(excluded.newest_event, 0) then r.run_at
    when coalesce(r.replaced_by, excluded.replaced_by) is null then least(r.run_at, excluded.run_at)
    else (merge_waits(r, excluded)).run_at end,
  asked_at = case
    when excluded.replaced_by > coalesce(r.newest_event, 0) then excluded.asked_at
    when r.replaced_by > coalesce(excluded.newest_event, 0) then r.asked_at
    when coalesce(r.replaced_by, excluded.replaced_by) is null then least(r.asked_at, excluded.asked_at)
    else (merge_waits(r, excluded)).asked_at end,
  priority = (
    -- include: merged_priority
    ),
  calls = case
    when excluded.replaced_by > coalesce(r.newest_event, 0) then excluded.calls
    when r.replaced_by > coalesce(excluded.newest_event, 0) then r.calls
    when r.calls is null and excluded.calls is null and r.run_at is null and excluded.run_at is null
      and r.priority = excluded.priority then null
    else merge_calls(calls_of(r) || calls_of(excluded), greatest(r.replaced_by, excluded.replaced_by)) end,
  origin = case
    when excluded.replaced_by > coalesce(r.newest_event, 0) then excluded.origin
    when r.replaced_by > coalesce(excluded.newest_event, 0) then r.origin
    else nullif(least(coalesce(r.origin, ''), coalesce(excluded.origin, '')), '') end,
  trace = case
    when excluded.replaced_by > coalesce(r.newest_event, 0) then excluded.trace
    when r.replaced_by > coalesce(excluded.newest_event, 0) then r.trace
    when excluded.newest_event < r.newest_event then nullif(left(concat_ws(' ', excluded.trace, r.trace), 447), '')
    else nullif(left(concat_ws(' ', r.trace, excluded.trace), 447), '') end,
