-- The outcomes of the workouts that were received on each UTC day from $1 to $2, by their last call: a retry counts
-- once, an edit counts on the day of the edit. Rows: day, outcome (`deleted`: taken back), how many. Locks: none. It
-- reads the whole ledger: an index on this time would be updated with each workout, for this query only.
select to_char(w.received_at at time zone 'UTC', 'YYYY-MM-DD'),
  case when w.is_deleted then 'deleted' else w.outcome::text end, count(*)
from workout w
where w.received_at >= $1::text::date::timestamp at time zone 'UTC'
  and w.received_at < ($2::text::date + 1)::timestamp at time zone 'UTC'
group by 1, 2
order by 1, 2
