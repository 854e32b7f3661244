-- Reads the next page of the cursor that open_boards opened. Rows: up to 1,000 standings, with the columns of
-- list_boards. After the cursor's last standing has been read, the result is empty. Locks: none.
fetch 1000 from published_board
