-- Makes a program current although a newer release is current. $1: the program. $2: the release of the program. Rows:
-- one row with the release that was current before, or none if this release is already current. Locks: the row of the
-- program. The newer release counts as rolled back from then on. Index: program_release_pkey.
with old as (
  select release, rolled_back from program_release where program = $1 for update
)
update program_release p
set release = $2::integer, rolled_back = greatest(old.rolled_back, old.release), fingerprint = null,
  written_at = now()
from old
where p.program = $1 and old.release <> $2::integer
returning old.release
