-- Reads the current release of a program. $1: the program. Rows: the release, the highest release that was rolled back
-- (-1 if none was), the fingerprint of the definitions (null if it is not known); none if the program has never written
-- definitions. Locks: none. Index: program_release_pkey.
select release, rolled_back, fingerprint from program_release where program = $1
