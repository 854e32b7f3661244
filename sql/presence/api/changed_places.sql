-- Which observed places have to be read. $1 groups, $2 versions of their lines, null where not read, $3 their dates.
-- Rows: number in the list from 1. Locks: none. Index: group_summary_pkey.
select number from changed_places($1, $2, $3)
