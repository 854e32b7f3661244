-- The statistics of a day read the workouts that were received on it, and not the whole ledger. Workouts are appended in
-- the order of their receipt, so a BRIN index of a few pages finds them, and recording a workout does not write to it.

create index workout_received on workout using brin (received_at) with (pages_per_range = 32, autosummarize = on);

-- The current members of a group, which calls read. Former members, whose rows remain, may be far more.
create index member_current on member (group_id, joined_at, user_id) where left_at is null;
