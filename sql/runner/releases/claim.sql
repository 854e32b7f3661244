-- Makes a program current before it writes its definitions, unless a newer release is current. $1: the program. $2: the
-- release of the program. $3: the fingerprint of the program's definitions, or null if it does not write all of them.
-- Rows: 1 affected row, or 0 if another release is current. Locks: the row of the program, in both cases until the
-- transaction ends. If two programs start at the same time, one therefore writes its definitions after the other.
-- Index: program_release_pkey.
insert into program_release as p (program, release, fingerprint)
values ($1, $2::integer, $3)
on conflict (program) do update
set release = excluded.release, written_at = excluded.written_at,
  fingerprint = coalesce(excluded.fingerprint, p.fingerprint)
where excluded.release = p.release or excluded.release > greatest(p.release, p.rolled_back)
