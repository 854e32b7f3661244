-- Limits how often a user switches sharing off, because each time stores a pause, and each pause is read when the
-- user's boards are derived.

alter table setting
  -- The pauses that one user may begin in 24 hours. The last of these pauses can begin, but not end.
  add column pauses_a_day integer not null default 100 check (pauses_a_day between 1 and 10000);
