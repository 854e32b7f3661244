-- When a workout is edited or deleted, stores the previous version of the ledger row in workout_revision. A new workout
-- has no previous version.
create or replace function workout_updated() returns trigger
language plpgsql security definer set search_path from current as $$
begin
  insert into workout_revision (user_id, workout_id, revision, group_id, performed_at, utc_offset_s,
    local_date, week_start, counted, outcome, reason, missed_board, is_deleted, received_at,
    superseded_at)
  values (old.user_id, old.workout_id, old.revision, old.group_id, old.performed_at, old.utc_offset_s,
    old.local_date, old.week_start, old.counted, old.outcome, old.reason, old.missed_board,
    old.is_deleted, old.received_at, new.received_at);
  return null;
end $$
