-- A committed step of a run sets `crashes` back to 0. These times remain, so that a run that commits steps and kills
-- each of its workers still ends.

-- When the last two workers of the run died; null if none did.
alter table run add column crashed_at timestamptz[];
