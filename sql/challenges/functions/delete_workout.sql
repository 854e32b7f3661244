-- Deletes a workout by writing an uncounted revision to the ledger. If the caller does not send a revision number, the
-- deletion gets the recorded revision number plus 1. docs/internals/write-path.md describes the responses and the lock
-- order.
create or replace function delete_workout(actor text, workout_id text, revision integer default null)
returns workout_answer
language plpgsql security definer set search_path from current set enable_seqscan = off set jit = off
set plan_cache_mode = force_generic_plan as $$
declare
  checked constant boolean := check_sizes(array[octet_length(actor), octet_length(workout_id)]);
  at constant timestamptz := domain_now();
  known workout;
  refused refused_edit;
  boards record;
  answer workout_outcome;
  is_shown boolean;
begin
  perform check_workout_call(actor, workout_id, coalesce(revision, 0));
  loop
    select * into known from workout w
    where w.user_id = actor and w.workout_id = delete_workout.workout_id;
    if not found then
      perform require_actor(actor);
      -- A phone sends a workout's deletion only after the workout itself. The deletion of an unknown workout is
      -- therefore not stored.
      return row('rejected', 'workoutNotFound', null, false)::workout_answer;
    elsif revision < known.revision then
      return row('duplicate', null, known.week_start, false)::workout_answer;
    elsif known.is_deleted and (revision is null or revision = known.revision) then
      return row(known.outcome, known.reason, known.week_start, true)::workout_answer;
    end if;
    select * into refused from refused_edit r
    where r.user_id = known.user_id and r.workout_id = known.workout_id
      and r.revision = delete_workout.revision and r.is_deletion;
    if found then
      return row('rejected', refused.reason, refused.week_start, true)::workout_answer;
    elsif revision = known.revision then
      return row('rejected', 'idempotencyConflict', known.week_start, false)::workout_answer;
    -- The deletion of a deleted workout only stores another revision. Other workouts can always be deleted.
    elsif known.is_deleted and has_many_edits(actor, workout_id) then
      return row('rejected', 'tooManyEdits', known.week_start, false)::workout_answer;
    end if;

    -- This update locks the member's row, so that calls for one member run one after another.
    update member m set calls = m.calls + 1
    where m.group_id = known.group_id and m.user_id = known.user_id;
    answer := 'accepted';
    if known.counted then
      select * into boards from lock_boards(known.group_id, known.week_start);
      if not boards.are_open then
        answer := 'acceptedLate';
        -- If a closed board shows a workout, the workout stays on the board. Deleted and cancelled boards do not show
        -- workouts.
        is_shown := not known.missed_board and exists (
          select from challenge c
          where c.group_id = known.group_id and c.week_start = known.week_start
            and c.state = 'closed');
        if is_shown and revision is not null and not has_many_edits(actor, workout_id) then
          insert into refused_edit (user_id, workout_id, revision, is_deletion, reason, week_start)
          values (actor, delete_workout.workout_id, delete_workout.revision, true, 'weekClosed',
            known.week_start)
          on conflict do nothing;
          -- If a concurrent identical call has already stored the refusal, no row is inserted. The loop then starts
          -- again to read the stored refusal.
          continue when not found;
        end if;
        if is_shown then
          return row('rejected', 'weekClosed', known.week_start, false)::workout_answer;
        end if;
      end if;
    end if;
    update workout w
    set is_deleted = true, counted = false, missed_board = false, outcome = answer,
      reason = null, received_at = at,
      revision = coalesce(delete_workout.revision, known.revision + 1)
    where w.user_id = known.user_id and w.workout_id = known.workout_id
      and (w.revision, w.missed_board) = (known.revision, known.missed_board)
      and not exists (
        select from refused_edit r
        where r.user_id = w.user_id and r.workout_id = w.workout_id
          and r.revision = delete_workout.revision and r.is_deletion);
    -- If a concurrent call has changed or rejected the workout or reopened the week, the loop starts again.
    exit when found;
  end loop;
  if known.counted then
    perform refresh_day(known.user_id, known.group_id, known.local_date, known.week_start);
    perform derive_entries(known.user_id, known.group_id, known.week_start, at);
  end if;
  return row(answer, null, known.week_start, false)::workout_answer;
end $$;

comment on function delete_workout is
  'Takes a workout of the actor back; every outcome is final. Safe to repeat with the same revision.'
