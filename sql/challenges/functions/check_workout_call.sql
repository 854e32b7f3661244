-- Rejects a call to record_workout for another user or with invalid arguments. The E prefix makes the regular
-- expression independent of the standard_conforming_strings setting.
create or replace function check_workout_call(user_id text, workout_id text, revision integer)
returns void language plpgsql as $$
begin
  perform require_claim(user_id);
  if user_id is null or octet_length(user_id) > 256 or workout_id is null
    or octet_length(workout_id) not between 1 and 256 or workout_id ~ e'[\\x01-\\x1f\\x7f]' then
    raise exception 'record_workout needs a user and a workout id of 1 to 256 bytes without control characters'
      using errcode = 'ZB002', hint = 'Nothing was written. Send an id that the client made once for this workout.';
  end if;
  -- If a deletion has no revision, the next number is stored.
  if revision is null or revision < 0 or revision = 2147483647 then
    raise exception 'record_workout: revision % is not a number from 0 to 2147483646',
      coalesce(revision::text, 'null')
      using errcode = 'ZB002', hint = 'Nothing was written. Send 0 for a new workout, more for an edit.';
  end if;
end $$
