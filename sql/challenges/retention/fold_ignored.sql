-- Merges the workouts that were refused for privacy into one row for each past day, and deletes expired rows. $1: the
-- maximum number of rows. Rows: one row with the number of merged and deleted rows. Locks: the merged and deleted rows,
-- SKIP LOCKED. If a row is committed after the statement has started, the job's next run merges it. Index:
-- ignored_workout_day.
with moment as materialized (
  select (domain_now() at time zone 'UTC')::date as today,
    ((domain_now() - in_seconds(analytics_age)) at time zone 'UTC')::date as oldest
  from setting
),
taken as materialized (
  select w.id
  from ignored_workout w
  where w.day < (select today from moment)
    and (w.day < (select oldest from moment)
      or exists (select from ignored_workout o where o.day = w.day and o.id <> w.id))
  order by w.day
  limit $1
  for update of w skip locked
),
gone as (
  delete from ignored_workout where id = any (array(select id from taken))
  returning day, workouts
),
folded as (
  insert into ignored_workout (day, workouts)
  select g.day, sum(g.workouts)
  from gone g
  where g.day >= (select oldest from moment)
  group by g.day
  returning 1
)
select count(*) from gone
