-- Moves the cursor opened by open_boards back to the position before the first standing. The cursor keeps its snapshot.
-- Rows: none. Locks: none.
move absolute 0 in published_board
