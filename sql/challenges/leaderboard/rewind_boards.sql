-- Moves the cursor of open_boards before the first standing, in the same snapshot. Rows: none. Locks: none.
move absolute 0 in published_board
