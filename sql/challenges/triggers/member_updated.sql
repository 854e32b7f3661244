-- Updates dependent rows if a user leaves or returns to a group. The trigger runs after the update, and only for
-- columns that record_workout never sets. A BEFORE trigger would lock the row twice in each call to record_workout.
create or replace trigger member_updated after update of left_at, joined_at on member
for each row
when (old.left_at is distinct from new.left_at or old.joined_at <> new.joined_at)
execute function member_updated()
