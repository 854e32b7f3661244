-- Counts the next shelf. Rows: one row with its number. Locks: the new row. Index: shelf_count_pkey.
insert into shelf_count (shelf)
select coalesce(max(shelf), 0) + 1
from shelf_count
returning shelf
