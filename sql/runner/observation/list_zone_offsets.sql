-- Lists the time zones of schedules with their offsets from UTC on the server. $1: the time zones of the program's
-- schedules. $2: instants in seconds since 1970. Rows: the name of the time zone, and its offsets in seconds at the
-- instants, in the order of the instants and separated by spaces. If the server does not know the time zone, the offsets
-- are null. Locks: none. Index: none, the statement reads all schedules.
select z.name,
  case when is_time_zone(z.name) then (
    select string_agg(
      (extract(epoch from to_timestamp(i.at) at time zone z.name) - i.at)::bigint::text, ' ' order by i.number)
    from unnest($2::bigint[]) with ordinality i (at, number)) end
from (
  select time_zone as name from schedule where time_zone is not null
  union
  select unnest($1::text[])) z
order by z.name
