-- Records the lines of one step in order, with one call to record_workout for each line. Each array has one element for
-- each line. $1: the ids of the users. $2: the workout ids. $3: the completion times. $4: the UTC offsets in seconds.
-- Rows: the workouts that were not accepted, with the outcome and the reason. Locks: see docs/internals/write-path.md.
select l.workout_id, a.outcome::text, coalesce(a.reason, '')
from unnest($1::text[], $2::text[], $3::timestamptz[], $4::integer[])
  with ordinality as l (user_id, workout_id, performed_at, utc_offset_s, nth),
  lateral record_workout(l.user_id, l.workout_id, l.performed_at, l.utc_offset_s) a
where a.outcome <> 'accepted' or a.is_replayed
order by l.nth
