-- Reads the next page of the cursor of open_boards. Rows: at most 1,000, with the columns of list_boards. After the last
-- standing, there are no rows. Locks: none.
fetch 1000 from published_board
