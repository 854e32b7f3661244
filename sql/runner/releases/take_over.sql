-- Makes a program's release current even if a newer release is current. After the statement, a newer release counts as
-- rolled back. $1: the program's name. $2: the program's release. Rows: one row with the previously current release. If
-- this release is already current, no rows are returned. Locks: the program's row. Index: program_release_pkey.
with old as (
  select release, rolled_back from program_release where program = $1 for update
)
update program_release p
set release = $2::integer, rolled_back = greatest(old.rolled_back, old.release), fingerprint = null,
  written_at = now()
from old
where p.program = $1 and old.release <> $2::integer
returning old.release
