-- Which boards that are observed have to be read. $1 boards (null: none was read), $2 the rank_version and $3 the
-- members_mark of each, $4 the Monday of their week. Rows: their numbers in the list, from 1. Locks: none.
-- Index: board_version_pkey.
select number from changed_boards($1, $2, $3, $4::text::date)
