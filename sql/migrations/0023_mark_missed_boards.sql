-- Late workouts from before 0022_decide_edits.sql that no board shows; apart from it, because this reads
-- the whole ledger and that locks it. Of one that was edited, or whose week was reopened, it is not known
-- any more: it stays one that a board may show, and no edit moves it to another week.
update workout w
set missed_board = true
where w.outcome = 'acceptedLate' and w.counted and w.revision = 0 and not w.missed_board
  and not exists (
    select from week_reopening r where r.group_id = w.group_id and r.week_start = w.week_start);
