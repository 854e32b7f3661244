-- Estimates how many rows the recompute-ranks job reads and writes for a board. For each board, the job reads entries,
-- standings and the board's version, and may write standings and the version. How many rows a run reads and writes is
-- not stored. The estimate uses each board's current size, weighted by the number of rank changes. Rows: one row with
-- the number of rank changes, the average number of rows read, and the average upper limit on rows written. The last
-- two columns are the numbers of the job's runs and batches. The averages are in tenths of a row, or null if no rank
-- has changed. For more than 1,000 boards, the statement extrapolates the rank changes from a random sample of about
-- 1,000 boards. In a restored database that has never been analyzed, the number of boards is estimated from the size of
-- the `challenge` table. Locks: none. Indexes: entry_pkey, standing_pkey.
with share as materialized (
  select least(100, 100 * 1000 / greatest(
      case when c.reltuples < 0 then pg_relation_size(c.oid) / 100 else c.reltuples end, 1))::real as percent
  from pg_class c where c.oid = 'board_version'::regclass
),
board as (
  select v.rank_version,
    (select count(*) from entry e where e.challenge_id = v.challenge_id) as entries,
    (select count(*) from standing s where s.challenge_id = v.challenge_id) as standings
  from board_version v tablesample system ((select percent from share))
  where v.rank_version > 0
)
select round(coalesce(sum(b.rank_version), 0) * 100 / (select percent from share))::bigint,
  round(10 * sum(b.rank_version * (b.entries + b.standings + 1)) / sum(b.rank_version))::bigint,
  round(10 * sum(b.rank_version * (b.standings + 1)) / sum(b.rank_version))::bigint,
  coalesce((select a.runs from job_activity a where a.job = 'recompute-ranks'), 0),
  coalesce((select a.batches from job_activity a where a.job = 'recompute-ranks'), 0)
from board b
