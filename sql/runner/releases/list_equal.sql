-- Lists the fingerprints of the definitions that a release uses: the fingerprint of the stored definitions, and the
-- fingerprints of registered workers. $1: the program's name. $2: the program's release. Rows: the fingerprint, and the
-- number of workers with that fingerprint. Locks: none.
select fingerprint, sum(workers)::bigint
from (
  select fingerprint, 0 as workers from program_release where program = $1 and release = $2::integer
  union all
  select fingerprint, 1 from worker w
  where program = $1 and release = $2::integer and held_at_death is null
) f
where fingerprint is not null
group by fingerprint
order by fingerprint
