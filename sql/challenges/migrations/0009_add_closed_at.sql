-- When a week that was reopened had been closed. A board keeps its last close alone; with those before, it can
-- be said what it showed at any time.

alter table week_reopening add column closed_at timestamptz;
create index week_reopening_week on week_reopening (week_start, group_id);
