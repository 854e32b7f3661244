-- Reads the next page of the cursor that open_boards opened. Rows: at most 1,000 standings, with the columns of
-- list_boards. After the last standing of the cursor was read, the result is empty. Locks: none.
fetch 1000 from published_board
