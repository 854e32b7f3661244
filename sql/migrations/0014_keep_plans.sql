-- record_workout keeps its plans. Its statements find single rows by index, whatever the values are, and
-- planning some of them anew on each call was a seventh of its time. The setting holds for what it calls
-- as well, the triggers on entry among them. docs/performance.md has figures.
-- A plan that was made while a table was empty is kept too: `HistoryCostTests` shows what it reads later.
alter function record_workout(text, text, timestamptz, integer, integer)
  set plan_cache_mode = force_generic_plan
