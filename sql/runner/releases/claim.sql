-- Makes a program's release current before the program writes its definitions, unless a newer release is current. $1:
-- the program's name. $2: the program's release. $3: the fingerprint of the program's definitions, or null if the
-- program does not write all definitions. Rows: 1 affected row, or 0 if another release is current. Locks: the
-- program's row, until the transaction ends, so that two programs never write definitions concurrently. Index:
-- program_release_pkey.
insert into program_release as p (program, release, fingerprint)
values ($1, $2::integer, $3)
on conflict (program) do update
set release = excluded.release, written_at = excluded.written_at,
  fingerprint = coalesce(excluded.fingerprint, p.fingerprint)
where excluded.release = p.release or excluded.release > greatest(p.release, p.rolled_back)
