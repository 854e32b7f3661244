-- Sets the limit on workouts per user and day to its maximum, so that a benchmark can record many workouts of few
-- users. Rows: none. Locks: the row of the settings.
update setting set workouts_a_day = 10000
