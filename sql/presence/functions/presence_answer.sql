-- Returns the response to a command. If the user was never at the place, all columns after the first two are null.
create or replace function presence_answer(outcome text, is_replayed boolean, it presence) returns presence_answer
language sql immutable
return row(outcome, is_replayed, (it).group_id, (it).user_id, (it).is_present, (it).source, (it).since, (it).deadline,
  (it).version, (it).changed_at)::presence_answer
