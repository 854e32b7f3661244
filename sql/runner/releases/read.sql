-- Reads the current release of a program. $1: the program's name. Rows: one row with the release, the highest release
-- that was rolled back (or -1), and the fingerprint of the definitions (null if unknown). If the program has never
-- written definitions, no rows are returned. Locks: none. Index: program_release_pkey.
select release, rolled_back, fingerprint from program_release where program = $1
