-- How far the weeks are closed: no group, nobody's name and no value.
grant select (week_start, state, reopened_until) on challenge to {dashboard};
grant select (grace) on setting to {dashboard};
grant select on due_week to {dashboard};
