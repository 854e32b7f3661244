-- What became of the workouts that came on each UTC day from $1 to $2, by their last call: a retry counts once, an
-- edit on the day of the edit. Rows: day, outcome (`deleted`: taken back), how many. Locks: none.
-- Reads the ledger whole: an index by this time would be written with each workout, for this alone.
select to_char(w.received_at at time zone 'UTC', 'YYYY-MM-DD'),
  case when w.is_deleted then 'deleted' else w.outcome::text end, count(*)
from workout w
where w.received_at >= $1::text::date::timestamp at time zone 'UTC'
  and w.received_at < ($2::text::date + 1)::timestamp at time zone 'UTC'
group by 1, 2
order by 1, 2
